package dev.outcrop.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.rocksdb.engine.FileLocks;
import dev.outcrop.testsupport.ChildJvm;
import dev.outcrop.testsupport.TestSize;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A call that runs out of heap gives back what it holds: no pin, no lease and no open database is left. Each call is repeated with a few
 * bytes more on an otherwise full heap, so that it fails at each of its allocations; outside of the nightly run with more bytes each time,
 * from a random number on.
 */
@Tag("verify")
@Execution(ExecutionMode.CONCURRENT)
class OutOfMemoryTest {
    private static final byte[] KEY = Bytes.of("key");
    private static final int SIZE = 10_000;
    private static final int MOST_HEAPS = 20;

    @TempDir
    private Path directory;

    /** A full heap, from which a little can be taken away. */
    private static final class Ballast {
        private static final int SHORT = 16;

        private @Nullable Object @Nullable [] cells;
        private @Nullable Object @Nullable [] rest;

        /**
         * Fills the heap.
         *
         * @param count      how many cells can be taken away again
         * @param references in each of them: it has 16 bytes, and 4 for each of these
         * @param atOnce     so many references are missing from the beginning
         */
        Ballast(int count, int references, int atOnce) {
            for (int i = 0; i < count; i++) {
                var cell = new @Nullable Object[references];
                cell[0] = cells;
                cells = cell;
            }
            var first = new @Nullable Object[1 + atOnce];
            first[0] = cells;
            cells = first;
            for (int length = 1 << 16; length > 0; length /= 2) {
                fill(length);
            }
            takeCellAway();
        }

        private void fill(int length) {
            try {
                while (true) {
                    // Bytes, because the garbage collector looks at references each time that it finds no memory.
                    var more = new @Nullable Object[length > SHORT ? 2 : length];
                    if (length > SHORT) {
                        more[1] = new byte[length * Integer.BYTES];
                    }
                    more[0] = rest;
                    rest = more;
                }
            } catch (OutOfMemoryError e) {
                // This is what it is for.
            }
        }

        boolean takeCellAway() {
            if (cells == null) {
                return false;
            }
            cells = (@Nullable Object @Nullable []) cells[0];
            return true;
        }
    }

    private interface Call {
        void run(int attempt);
    }

    /**
     * Makes a call with more and more memory; returns how often there was not enough.
     *
     * @param steps of so many the memory gets more in the nightly run
     * @param oneOf so many of these are one step outside of it
     */
    private static int starve(int steps, int references, int oneOf, Call call) {
        int phase = new Random(TestSize.seed(OutOfMemoryTest.class)).nextInt(oneOf);
        Ballast ballast = new Ballast(steps / oneOf, references * oneOf, references * phase);
        int failures = 0;
        for (int i = 0; ballast.takeCellAway(); i++) {
            try {
                call.run(i);
            } catch (OutOfMemoryError e) {
                failures++;
            }
        }
        return failures;
    }

    /** As {@link #starve}, for calls that can be repeated: again if the heap was not full, because another thread has freed objects. */
    private static int starveReading(Call call) {
        int failures = 0;
        for (int i = 0; i < MOST_HEAPS && failures == 0; i++) {
            failures = starve(Reading.STEPS, 2, Reading.ONE_OF, call);
        }
        return failures;
    }

    private static Options options() {
        return new Options().createIfMissing(true).mergeOperator(MergeOperator.STRING_APPEND);
    }

    private static RocksDB create(Path path, Options options) {
        RocksDB db = RocksDB.open(path, options);
        db.put(KEY, new byte[SIZE]);
        db.flush();
        return db;
    }

    /** Closes the database and proves that it is gone. */
    private static void requireClosable(RocksDB db) {
        check(db.pinnedBytes() == 0, db.pinnedBytes() + " bytes are still pinned");
        db.close();
        requireClosed(db.path());
    }

    private static void requireClosed(Path path) {
        check(FileLocks.problem(path) == null, String.valueOf(FileLocks.problem(path)));
        RocksDB.open(path, options()).close();
    }

    private static void check(boolean good, String otherwise) {
        if (!good) {
            throw new AssertionError(otherwise);
        }
    }

    /** Reads in the ways that hold a pin or a lease. */
    static final class Reading {
        private static final int ONE_OF = TestSize.choose("outcrop.memory.one.of", 3, 1);
        private static final int STEPS = 100;

        private Reading() {
        }

        static void main(String[] arguments) {
            scanFirst(Path.of(arguments[0], "scanned"));
            try (RocksDB pinning = create(Path.of(arguments[0], "pinning"), options());
                    RocksDB copying = create(Path.of(arguments[0], "copying"), options().pinBudget(0))) {
                MemorySegment key = Bytes.inNative(KEY);
                MemorySegment room = Bytes.inNative(new byte[4096]);
                ScanVisitor visitor = (k, value) -> value.byteSize() != SIZE;
                Call getPinned = _ -> close(pinning.getPinned(key), true);
                Call getCopied = _ -> close(copying.getPinned(key), false);
                Call getHybrid = _ -> close(pinning.getHybrid(key, room), true);
                Call scan = _ -> pinning.scan(visitor);
                Call snapshot = _ -> pinning.snapshot().close();
                for (int i = 0; i < 20; i++) {
                    // Linking and loading at first use are no longer in the way.
                    getPinned.run(i);
                    getCopied.run(i);
                    getHybrid.run(i);
                    scan.run(i);
                    snapshot.run(i);
                }
                System.out.println("getPinned " + starveReading(getPinned));
                System.out.println("getCopied " + starveReading(getCopied));
                System.out.println("getHybrid " + starveReading(getHybrid));
                System.out.println("scan " + starveReading(scan));
                System.out.println("snapshot " + starveReading(snapshot));
                requireClosable(pinning);
                requireClosable(copying);
            }
            System.out.println("nothing is left");
        }

        /** When what a scan calls is still to be linked. */
        private static void scanFirst(Path path) {
            RocksDB db = create(path, options());
            Objects.requireNonNull(db.getPinned(KEY)).close();
            ScanVisitor visitor = (_, _) -> true;
            System.out.println("first scan " + starve(10, 2, 1, _ -> db.scan(visitor)));
            requireClosable(db);
        }

        private static void close(@Nullable PinnedSlice slice, boolean isPinned) {
            Objects.requireNonNull(slice);
            check(slice.isPinned() == isPinned && slice.size() == SIZE, "another value");
            slice.close();
        }
    }

    /** Creates column families. */
    static final class Families {
        private static final int ONE_OF = TestSize.choose("outcrop.memory.one.of", 15, 1);
        private static final int FAMILIES = 300 / ONE_OF;

        private Families() {
        }

        static void main(String[] arguments) {
            Options options = options();
            RocksDB db = create(Path.of(arguments[0], "db"), options);
            String[] names = IntStream.range(0, FAMILIES).mapToObj(i -> "family " + i).toArray(String[]::new);
            for (int i = 0; i < 5; i++) {
                db.createColumnFamily("warm-up " + i, options);
            }
            System.out.println(
                    "create " + starve(FAMILIES * ONE_OF, 30, ONE_OF, i -> db.createColumnFamily(names[i], options)));
            System.out.println("created " + db.columnFamilies().size());
            requireClosable(db);
            System.out.println("nothing is left");
        }
    }

    /** Opens databases. */
    static final class Openings {
        private static final int ONE_OF = TestSize.choose("outcrop.memory.one.of", 20, 1);
        private static final int DATABASES = 400 / ONE_OF;

        private Openings() {
        }

        static void main(String[] arguments) {
            Path[] paths = new Path[DATABASES];
            for (int i = 0; i < DATABASES; i++) {
                paths[i] = Path.of(arguments[0], "db" + i).normalize();
                // A path keeps what it was asked for: better now than on a heap that is full.
                check(!paths[i].toString().isEmpty(), "no path");
            }
            Options options = options();
            for (int i = 0; i < 10; i++) {
                RocksDB.open(Path.of(arguments[0], "warm-up" + i), options).close();
            }
            @Nullable
            RocksDB[] opened = new RocksDB[DATABASES];
            starve(DATABASES * ONE_OF, 50, ONE_OF, i -> {
                RocksDB db = RocksDB.open(paths[i], options);
                opened[i] = db;
                db.close();
            });
            // A close that failed can be called again; one that did not does nothing.
            Stream.of(opened).filter(Objects::nonNull).forEach(RocksDB::close);
            System.out.println("opened " + Stream.of(opened).filter(Objects::nonNull).count());
            int begun = 0;
            for (Path path : paths) {
                if (Files.exists(path.resolve("CURRENT"))) {
                    begun++;
                    requireClosed(path);
                }
            }
            System.out.println("created " + begun);
            System.out.println("nothing is left");
        }
    }

    private ChildJvm.Result run(Class<?> program, String heap) throws IOException, InterruptedException {
        // With the JIT compiler that removes no allocation and without buffers for threads, so that each allocation is made, and made on
        // the heap that is full; and without the code that the JDK would generate for a handle that it has often interpreted.
        ChildJvm.Result result = ChildJvm.withNativeAccess().option("-XX:TieredStopAtLevel=1")
                .option("-XX:+UseSerialGC")
                .option("-XX:-UseTLAB").option("-Djava.lang.invoke.MethodHandle.CUSTOMIZE_THRESHOLD=-1")
                .option("-Xmx" + heap).run(program, directory);
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("nothing is left");
        return result;
    }

    private static int number(ChildJvm.Result result, String name) {
        return result.output().lines().filter(line -> line.startsWith(name + " "))
                .mapToInt(line -> Integer.parseInt(line.substring(name.length() + 1))).findFirst().orElseThrow();
    }

    @Test
    void readsGiveTheirPinsBack() throws Exception {
        ChildJvm.Result result = run(Reading.class, "10m");

        assertThat(number(result, "first scan")).as(result.output()).isPositive();
        for (String call : new String[]{"getPinned", "getCopied", "getHybrid", "scan", "snapshot"}) {
            assertThat(number(result, call)).as(call + ": " + result.output()).isBetween(1,
                    Reading.STEPS / Reading.ONE_OF - 1);
        }
    }

    @Test
    void creatingAColumnFamilyGivesItsLeaseBack() throws Exception {
        // In the end, the stored options of all families are read.
        ChildJvm.Result result = run(Families.class, "40m");

        int failed = number(result, "create");
        assertThat(failed).as(result.output()).isBetween(Families.FAMILIES / 3, Families.FAMILIES - 1);
        // With the default one and those of the warm-up.
        assertThat(number(result, "created")).as(result.output()).isEqualTo(6 + Families.FAMILIES - failed);
    }

    @Test
    void aFailedOpeningClosesAllItHasOpened() throws Exception {
        ChildJvm.Result result = run(Openings.class, "10m");

        // Many failed when the native database was there already, and with more memory it was opened.
        int opened = number(result, "opened");
        assertThat(opened).as(result.output()).isPositive();
        assertThat(number(result, "created") - opened).as(result.output()).isGreaterThan(Openings.DATABASES / 4);
    }
}
