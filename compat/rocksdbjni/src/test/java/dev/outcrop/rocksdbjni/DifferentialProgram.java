package dev.outcrop.rocksdbjni;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksIterator;

/**
 * A random program against the public API of org.rocksdb, which prints what each call does. The seed alone decides what is called: each
 * operation chooses with a random number generator of its own, so that leaving one out changes no other.
 *
 * <p>Arguments: {@code run} or {@code dump}, a directory, a file with the names of the calls that are left out, the number of operations,
 * {@code ours} or {@code published}, and seeds, each of which has a database in a directory of its name. It is made, or its contents are
 * printed.
 */
final class DifferentialProgram {

    private DifferentialProgram() {
    }

    public static void main(String[] args) throws Exception {
        RocksDB.loadLibrary();
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        Path directory = Path.of(args[1]);
        Set<String> leftOut = new HashSet<>(Files.readAllLines(Path.of(args[2])));
        DifferentialText text = new DifferentialText(directory.toString(), leftOut);
        DifferentialTranscript transcript = new DifferentialTranscript(out, leftOut, args[4].equals("ours"), text);
        for (int i = 5; i < args.length; i++) {
            long seed = Long.parseLong(args[i]);
            if (args[0].equals("dump")) {
                dump(transcript, directory.resolve(args[i]), seed);
            } else {
                run(transcript, directory.resolve(args[i]), seed, Integer.parseInt(args[3]));
            }
        }
        out.flush();
    }

    private static void run(DifferentialTranscript transcript, Path directory, long seed, int operations)
            throws Exception {
        DifferentialWorld world = new DifferentialWorld(transcript, Files.createDirectories(directory));
        transcript.begin(seed, 0);
        world.open(DifferentialWorld.Form.FAMILIES, new Random(seed));
        DifferentialOperations all = new DifferentialOperations(world);
        for (int i = 1; i <= operations; i++) {
            transcript.begin(seed, i);
            all.one(new Random(seed * 1_000_003 + i));
        }
        transcript.begin(seed, operations + 1);
        world.close();
    }

    /** Prints all entries of all families. */
    private static void dump(DifferentialTranscript transcript, Path directory, long seed) throws Exception {
        DifferentialWorld world = new DifferentialWorld(transcript, directory);
        transcript.begin(seed, 0);
        world.open(DifferentialWorld.Form.FAMILIES, new Random(seed));
        for (ColumnFamilyHandle family : world.families) {
            transcript.call("family", () -> family);
            try (ReadOptions read = new ReadOptions().setTotalOrderSeek(true);
                    RocksIterator entries = world.database.newIterator(family, read)) {
                for (entries.seekToFirst(); entries.isValid(); entries.next()) {
                    transcript.call("entry", () -> new byte[][]{entries.key(), entries.value()});
                }
                transcript.call("end", () -> {
                    entries.status();
                    return "";
                });
            }
        }
        world.close();
    }
}
