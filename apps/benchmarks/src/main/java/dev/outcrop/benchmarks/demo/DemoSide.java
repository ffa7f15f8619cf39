package dev.outcrop.benchmarks.demo;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * One side of the demo's comparison: it stores all records, reads them twice in random orders, scans them, and compares every byte. It
 * reports its progress on standard output, in lines that the command line reads:
 *
 * <pre>
 * phase PHASE RECORDS BYTES       a phase of this many records (keys and values: BYTES) begins
 * at RECORDS                      so many are done
 * latencies NANOS NANOS ...       the timed part of each operation, one number a record
 * done TIMED ELAPSED              the phase ended: timed nanoseconds, and all that passed since it began
 * differs MESSAGE                 a byte that was read is not the byte that was stored
 * failed MESSAGE                  something else went wrong
 * </pre>
 *
 * Subclasses time each operation until its bytes may be read, and the release of pinned values. They do not time comparing. There is one
 * thread, so the latencies are those of a single caller.
 */
abstract class DemoSide implements AutoCloseable {
    /** A cold JVM would measure the interpreter. So all phases are first done on this many records, several times. */
    private static final int WARM_UP_RECORDS = 2_000;
    private static final int WARM_UP_ROUNDS = 5;
    private static final String WARM_UP = ".warm-up";

    private final DemoRecords records;
    private final long[] latencies;
    /** Whether the side prints no times, because it only warms up. */
    boolean isSilent;
    private int scanned;
    private long began;

    DemoSide(DemoRecords records) {
        this.records = records;
        this.latencies = new long[records.size()];
    }

    /** Opens a new database. */
    interface Opener {
        DemoSide open(Path database, String options, DemoRecords records) throws Exception;
    }

    /** Thrown for a record that differs from the stored record. The message names the record and the first byte that differs. */
    static final class Difference extends RuntimeException {
        private static final long serialVersionUID = 1;

        Difference(String message) {
            super(message);
        }
    }

    /** Stores a record; returns the nanoseconds. */
    abstract long put(int index) throws Exception;

    /** Writes all records to the disk. */
    abstract void flush() throws Exception;

    /** Reads a record and has it {@linkplain #compare compared}; returns the nanoseconds. */
    abstract long read(int index) throws Exception;

    /** Passes all entries to {@link #found}. */
    abstract void scanAll() throws Exception;

    /**
     * Runs all phases and exits with 0, or with 1 after a line with the reason. The arguments are the directory of the new database, the
     * file with the records, the seed of the random orders, and options in RocksDB's own form.
     */
    static void main(String[] args, Opener opener) {
        endWithParent();
        int code = 1;
        Path database = Path.of(args[0]);
        long seed = Long.parseLong(args[2]);
        try (Arena arena = Arena.ofShared()) {
            DemoRecords records = DemoRecords.read(Path.of(args[1]), arena);
            try (DemoSide side = opener.open(database.resolveSibling(database.getFileName() + WARM_UP), args[3],
                    records.first(WARM_UP_RECORDS))) {
                side.isSilent = true;
                for (int i = 0; i < WARM_UP_ROUNDS; i++) {
                    side.allPhases(seed + i);
                }
            }
            try (DemoSide side = opener.open(database, args[3], records)) {
                side.allPhases(seed);
            }
            code = 0;
        } catch (Difference e) {
            System.out.println("differs " + e.getMessage());
        } catch (Exception | LinkageError e) {
            System.out.println("failed " + e.toString().strip().replaceAll("\\s*\\R\\s*", " "));
        }
        System.exit(code);
    }

    /**
     * Ends this program when its parent ends, however that happens: nothing may go on writing into a directory that is about to be deleted.
     */
    private static void endWithParent() {
        // The parent gives its id, because the system gives a new parent to a child that has lost its own.
        Long parent = Long.getLong("outcrop.parent");
        if (parent != null) {
            Thread.ofPlatform().daemon().start(() -> {
                ProcessHandle.of(parent).ifPresent(handle -> handle.onExit().join());
                Runtime.getRuntime().halt(1);
            });
        }
    }

    private void allPhases(long seed) throws Exception {
        Random random = new Random(seed);
        store();
        read("read", shuffled(records.size(), random));
        read("read_again", shuffled(records.size(), random));
        scan();
    }

    final void store() throws Exception {
        begin("store");
        for (int i = 0; i < records.size(); i++) {
            latencies[i] = put(i);
            at(i + 1);
        }
        long start = System.nanoTime();
        flush();
        done(System.nanoTime() - start);
    }

    final void read(String phase, int[] order) throws Exception {
        begin(phase);
        for (int i = 0; i < order.length; i++) {
            latencies[i] = read(order[i]);
            at(i + 1);
        }
        done(0);
    }

    final void scan() throws Exception {
        begin("scan");
        scanned = 0;
        scanAll();
        if (scanned < records.size()) {
            throw missing(scanned);
        }
        done(0);
    }

    /** Takes the next entry of a scan, with the nanoseconds that it took, and compares it. */
    final void found(MemorySegment key, MemorySegment value, long nanos) {
        compareKey(scanned, key);
        compare(scanned, value);
        latencies[scanned++] = nanos;
        at(scanned);
    }

    /** Compares the value that a read returned, or null if the key was not found, with the stored value. */
    final void compare(int index, @Nullable MemorySegment value) {
        if (value == null) {
            throw missing(index);
        }
        MemorySegment stored = records.values().get(index);
        long at = stored.mismatch(value);
        if (at < 0) {
            return;
        }
        String name = records.name(index);
        if (stored.byteSize() != value.byteSize()) {
            throw new Difference(
                    String.format("%s has %d bytes, but %d were stored; the first difference is at byte %d", name,
                            value.byteSize(), stored.byteSize(), at));
        }
        throw new Difference(String.format("byte %d of %s is 0x%02x, but 0x%02x was stored", at, name,
                value.get(ValueLayout.JAVA_BYTE, at), stored.get(ValueLayout.JAVA_BYTE, at)));
    }

    private void compareKey(int index, MemorySegment key) {
        MemorySegment stored = index < records.size() ? records.keys().get(index) : null;
        long at = stored == null ? 0 : stored.mismatch(key);
        if (at < 0) {
            return;
        }
        // Keys are in the order of their bytes, so the smaller key tells whether a record is missing or there is an extra record.
        boolean isMissing = stored != null && (at == stored.byteSize() || (at < key.byteSize()
                && Byte.compareUnsigned(stored.get(ValueLayout.JAVA_BYTE, at),
                        key.get(ValueLayout.JAVA_BYTE, at)) < 0));
        throw isMissing ? missing(index) : new Difference(DemoRecords.text(key) + " is there and was not stored");
    }

    private Difference missing(int index) {
        return new Difference(records.name(index) + " was stored and is not found");
    }

    private void begin(String phase) {
        say("phase " + phase + " " + records.size() + " " + records.bytes());
        began = System.nanoTime();
    }

    private void at(int done) {
        if (done % Math.max(1, records.size() / 100) == 0) {
            say("at " + done);
        }
    }

    private void done(long extra) {
        long elapsed = System.nanoTime() - began;
        long timed = extra;
        StringBuilder line = new StringBuilder("latencies");
        for (long nanos : latencies) {
            timed += nanos;
            line.append(' ').append(nanos);
        }
        say(line.toString());
        say("done " + timed + " " + elapsed);
    }

    private void say(String line) {
        if (!isSilent) {
            System.out.println(line);
        }
    }

    /** Returns the numbers below {@code size} in random order (Fisher and Yates). */
    static int[] shuffled(int size, Random random) {
        int[] order = new int[size];
        for (int i = 0; i < size; i++) {
            int other = random.nextInt(i + 1);
            order[i] = order[other];
            order[other] = i;
        }
        return order;
    }

    @Override
    public abstract void close();
}
