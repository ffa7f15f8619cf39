package dev.outcrop.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.rocksdb.NestedWorld.Variant;
import dev.outcrop.testsupport.ChildJvm;
import dev.outcrop.testsupport.TestSize;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A call from inside a callback returns its result or throws an exception that names the callback. This holds for each callback, each call
 * that RocksDB calls it in, and each call from inside: thousands of combinations, in other JVMs, because a call that is wrongly allowed
 * may end the process or hang. A sample of the calls from inside, all of them in the nightly run.
 */
@Tag("verify")
class NestedCallsTest {
    private static final Path IN_MEMORY = Path.of("/dev/shm");
    private static final long ROOM = 1L << 30;
    /** So many calls inside each call that leads to a callback. */
    private static final int INNERS = TestSize.choose("outcrop.nested.inners", 2, Integer.MAX_VALUE);
    private static final int JVMS = 2;
    /** So often a JVM that has crashed or hangs is followed by another one, for the rest. */
    private static final int MOST_DEATHS = TestSize.choose("outcrop.nested.deaths", 3, 20);
    private static final int SHOWN = 40;

    @TempDir
    private Path temporary;

    private final List<String> failures = new CopyOnWriteArrayList<>();

    @Test
    void eachHasItsResultOrAnExceptionThatNamesTheCallback() throws Exception {
        long seed = TestSize.seed(getClass());
        Path directory = directory();
        String only = System.getProperty("outcrop.nested.only", "");
        List<String> callbacks = new ArrayList<>();
        for (NestedKind kind : NestedKind.values()) {
            for (Variant variant : Variant.values()) {
                String name = kind + " " + variant;
                if ((variant == Variant.PLAIN || kind.isReachedByTransactions()) && name.contains(only)) {
                    callbacks.add(name);
                }
            }
        }
        try (ExecutorService all = Executors.newFixedThreadPool(JVMS)) {
            List<Future<?>> runs = new ArrayList<>();
            for (int i = 0; i < JVMS; i++) {
                int jvm = i;
                List<String> own = IntStream.range(0, callbacks.size()).filter(each -> each % JVMS == jvm)
                        .mapToObj(callbacks::get).toList();
                runs.add(all.submit(() -> {
                    run(own, directory, temporary.resolve("trace " + jvm), seed);
                    return null;
                }));
            }
            for (Future<?> run : runs) {
                run.get();
            }
        } finally {
            NestedWorld.delete(directory);
        }
        assertThat(failures).as("seed " + seed).isEmpty();
    }

    private void run(List<String> callbacks, Path directory, Path trace, long seed) throws Exception {
        List<String> rest = callbacks;
        int next = 0;
        for (int deaths = 0; deaths <= MOST_DEATHS; deaths++) {
            Path work = Files.createTempDirectory(directory, "nested");
            List<Object> arguments = new ArrayList<>(List.of(work, trace, seed, next, INNERS));
            arguments.addAll(rest);
            ChildJvm.Result result = ChildJvm.shortLived().run(NestedCalls.class, arguments.toArray());
            NestedWorld.delete(work);
            if (result.exitCode() == 0) {
                result.output().lines().filter(line -> !line.startsWith(" ")).forEach(System.out::println);
                // Few of them happen not to be reached this time.
                assertThat(
                        result.output().lines().filter(line -> line.contains(": tried ") && !line.contains("tried 0,")))
                        .hasSizeGreaterThanOrEqualTo(rest.size() * 3 / 4);
                return;
            }
            System.out.println("ended with " + result.exitCode() + ":\n" + shortened(result));
            if (result.exitCode() == NestedCalls.WRONG) {
                failures.add("wrong:\n" + shortened(result));
                return;
            }
            ByteBuffer last = ByteBuffer.wrap(Files.readAllBytes(trace));
            int callback = last.getInt(NestedCalls.CALLBACK);
            String text = rest.get(callback) + ": " + StandardCharsets.UTF_8
                    .decode(last.slice(NestedCalls.TEXT, last.getInt(NestedCalls.LENGTH)));
            System.out.println("LAST " + text);
            failures.add(text + (result.exitCode() == NestedCalls.HANGS ? " hangs" : " crashes"));
            next = last.getInt(NestedCalls.NUMBER) + 1;
            rest = rest.subList(callback, rest.size());
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
