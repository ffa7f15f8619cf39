package dev.outcrop.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.rocksdb.NestedWorld.Variant;
import dev.outcrop.testsupport.ChildJvm;
import dev.outcrop.testsupport.StartArchive;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A call of the API from inside a callback has its result or throws an exception that names the callback, for each callback, each call
 * that RocksDB calls it in, and each call from inside: thousands of combinations, in other JVMs, because what is not refused may end the
 * process or wait for ever. One of twenty, and all with the profile {@code long}.
 */
class NestedCallsTest {
    private static final Path IN_MEMORY = Path.of("/dev/shm");
    private static final long ROOM = 1L << 30;
    private static final int JVMS = 2;
    /** So often a JVM that has crashed or hangs is followed by another one, for the rest. */
    private static final int MOST_DEATHS = Integer.getInteger("outcrop.nested.deaths", 3);
    /** One pair of calls of so many is tried; which ones, the seed says. */
    private static final int ONE_OF = Integer.getInteger("outcrop.nested.one.of", 20);
    private static final int SELDOM = 1000;
    private static final int SHOWN = 40;

    @TempDir
    private Path temporary;

    private final List<String> failures = Collections.synchronizedList(new ArrayList<>());

    @Test
    void eachHasItsResultOrAnExceptionThatNamesTheCallback() throws Exception {
        long seed = Long.getLong("outcrop.nested.seed", new Random().nextLong());
        System.out.println("NestedCallsTest: seed " + seed);
        Path directory = directory();
        StartArchive archive = archive(directory);
        List<Callable<Void>> runs = new ArrayList<>();
        String only = System.getProperty("outcrop.nested.only", "");
        for (NestedKind kind : NestedKind.values()) {
            for (Variant variant : Variant.values()) {
                if ((variant == Variant.PLAIN || kind.isReachedByTransactions())
                        && (kind + " " + variant).contains(only)) {
                    runs.add(() -> {
                        run(kind, variant, directory, seed, archive);
                        return null;
                    });
                }
            }
        }
        try (ExecutorService two = Executors.newFixedThreadPool(JVMS)) {
            for (Future<Void> future : two.invokeAll(runs)) {
                future.get();
            }
        } finally {
            NestedWorld.delete(directory);
        }
        assertThat(failures).as("seed " + seed).isEmpty();
    }

    /** Of what loads what all of them need. */
    private StartArchive archive(Path directory) throws IOException, InterruptedException {
        return new StartArchive(Files.createDirectory(temporary.resolve("jars")), NestedCalls.class,
                NestedKind.MERGE, Variant.PLAIN, Files.createDirectory(directory.resolve("training")),
                temporary.resolve("training"), 0, 0, SELDOM);
    }

    private void run(NestedKind kind, Variant variant, Path directory, long seed, StartArchive archive)
            throws Exception {
        String name = kind + " " + variant;
        Path trace = temporary.resolve(name);
        int next = 0;
        for (int deaths = 0; deaths <= MOST_DEATHS; deaths++) {
            Path work = Files.createTempDirectory(directory, "nested");
            long start = System.nanoTime();
            ChildJvm.Result result = archive.jvm().run(NestedCalls.class, kind, variant, work, trace, seed, next,
                    ONE_OF);
            long millis = (System.nanoTime() - start) / 1_000_000;
            NestedWorld.delete(work);
            if (result.exitCode() == 0) {
                System.out.println(name + ", " + millis + " ms: " + result.output().lines().findFirst().orElse(""));
                return;
            }
            System.out
                    .println(name + ", " + millis + " ms, ended with " + result.exitCode() + ":\n" + shortened(result));
            ByteBuffer last = ByteBuffer.wrap(Files.readAllBytes(trace));
            String text = StandardCharsets.UTF_8.decode(last.slice(NestedCalls.TEXT, last.getInt(Integer.BYTES)))
                    .toString();
            if (result.exitCode() == NestedCalls.WRONG) {
                failures.add(name + ": wrong:\n" + shortened(result));
                return;
            }
            System.out.println("LAST " + name + ": " + text);
            failures.add(name + ": " + text + (result.exitCode() == NestedCalls.HANGS ? " hangs" : " crashes"));
            next = last.getInt(NestedCalls.NUMBER) + 1;
        }
    }

    /** In memory if there is room, because there are thousands of files. */
    private Path directory() throws IOException {
        return Files.isWritable(IN_MEMORY) && Files.getFileStore(IN_MEMORY).getUsableSpace() > ROOM
                ? Files.createTempDirectory(IN_MEMORY, "outcrop-nested")
                : Files.createDirectory(temporary.resolve("databases"));
    }

    /** Of a crash, what the JVM says of it first. */
    private static String shortened(ChildJvm.Result result) {
        int crash = result.output().indexOf("# A fatal error");
        return crash < 0
                ? result.output()
                : String.join("\n", result.output().substring(crash).lines().limit(SHOWN).toList());
    }
}
