package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.callbacks.CheckedComparator;
import dev.outcrop.rocksdb.engine.callbacks.UserComparator;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The program of {@link LyingComparatorTest}: databases whose comparator throws, lies or changes its mind, at first or after a while, used
 * in all ways until they refuse to go on; then each is opened with a comparator that works. Arguments: a directory, a seed, how many
 * databases.
 */
final class LyingComparators {
    private static final int STEPS = 4000;
    private static final int KEYS = 2000;
    /** Kept, because an unreachable logger forgets its level. */
    private static final Logger LOG = Logger.getLogger(RocksDB.class.getPackageName());

    private LyingComparators() {
    }

    /** The behaviour of a comparator that misbehaves. */
    enum Kind {
        THROWS_ONCE_IN_A_HUNDRED,
        THROWS_ONCE_IN_FOUR,
        ALWAYS_THROWS,
        THROWS_FOR_SOME_KEYS,
        RANDOM,
        ALWAYS_LESS,
        ALWAYS_EQUAL,
        ALWAYS_MORE,
        REVERSED,
        SOMETIMES_REVERSED,
        OVERFLOWS;

        boolean isAnOrder() {
            return this == ALWAYS_EQUAL || this == REVERSED;
        }
    }

    private static final class Thrown extends RuntimeException {
        private static final long serialVersionUID = 1;

        Thrown() {
            super("on purpose", null, true, false);
        }
    }

    /** Sound until it begins to misbehave. */
    private static final class Liar implements KeyComparator {
        private final Kind kind;
        private final long seed;
        private volatile boolean lies;
        private final ThreadLocal<Random> random;

        Liar(Kind kind, long seed) {
            this.kind = kind;
            this.seed = seed;
            this.random = ThreadLocal.withInitial(() -> new Random(this.seed));
        }

        @Override
        public String name() {
            return "test.Liar";
        }

        @Override
        public int compare(MemorySegment a, MemorySegment b) {
            int order = UserComparator.BYTEWISE.compare(a, b);
            if (!lies) {
                return order;
            }
            Random next = random.get();
            return switch (kind) {
                case THROWS_ONCE_IN_A_HUNDRED -> sometimes(next, 100, order);
                case THROWS_ONCE_IN_FOUR -> sometimes(next, 4, order);
                case ALWAYS_THROWS -> throw new Thrown();
                case THROWS_FOR_SOME_KEYS -> {
                    if (isBad(a) || isBad(b)) {
                        throw new Thrown();
                    }
                    yield order;
                }
                case RANDOM -> next.nextInt(3) - 1;
                case ALWAYS_LESS -> -1;
                case ALWAYS_EQUAL -> 0;
                case ALWAYS_MORE -> 1;
                case REVERSED -> -order;
                case SOMETIMES_REVERSED -> next.nextInt(50) == 0 ? -order : order;
                case OVERFLOWS -> {
                    if (next.nextInt(200) == 0) {
                        throw new StackOverflowError("on purpose");
                    }
                    yield order;
                }
            };
        }

        private static int sometimes(Random random, int once, int order) {
            if (random.nextInt(once) == 0) {
                throw new Thrown();
            }
            return order;
        }

        private static boolean isBad(MemorySegment key) {
            return key.byteSize() > 0 && key.get(ValueLayout.JAVA_BYTE, key.byteSize() - 1) == '7';
        }
    }

    static void main(String[] arguments) throws IOException {
        LOG.setLevel(Level.OFF);
        Path directory = Path.of(arguments[0]);
        long seed = Long.parseLong(arguments[1]);
        int databases = Integer.parseInt(arguments[2]);
        for (int i = 0; i < databases; i++) {
            Kind kind = Kind.values()[i % Kind.values().length];
            // Printed before, for the case that nothing is printed after.
            System.out.println(kind + ", seed " + (seed + i));
            use(directory.resolve("db" + i), kind, seed + i);
        }
        System.out.println("done");
    }

    private static Options options(KeyComparator comparator) {
        return new Options().createIfMissing(true).comparator(comparator).writeBufferSize(32 << 10)
                .targetFileSizeBase(32 << 10).maxBytesForLevelBase(64 << 10).level0FileNumCompactionTrigger(2)
                .maxBackgroundJobs(4);
    }

    private static void use(Path path, Kind kind, long seed) {
        Random random = new Random(seed);
        Liar comparator = new Liar(kind, seed);
        // Half of them begin at once, the others in the middle of flushes and compactions. What is an order, if another one, must have been
        // one before.
        int begin = random.nextBoolean() && !kind.isAnOrder() ? random.nextInt(3) : 200 + random.nextInt(STEPS / 2);
        TreeSet<String> written = new TreeSet<>();
        TreeSet<String> tried = new TreeSet<>();
        try (RocksDB db = RocksDB.open(path, options(comparator));
                MultiGet request = db.multiGet();
                KeyValueIterator entries = db.iterator()) {
            for (int step = 0; step < STEPS; step++) {
                comparator.lies = step >= begin;
                String key = "key" + random.nextInt(KEYS);
                byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
                boolean isWrite = random.nextInt(3) > 0;
                try {
                    if (isWrite) {
                        tried.add(key);
                        db.put(bytes, new byte[random.nextInt(300)]);
                        written.add(key);
                    } else {
                        read(db, request, entries, random, bytes);
                    }
                } catch (Thrown | CheckedComparator.Contradiction | StackOverflowError e) {
                    // Nothing more is written from now on.
                } catch (IllegalStateException e) {
                    if (e.getCause() == null) {
                        throw e;
                    }
                    if (random.nextInt(20) == 0) {
                        break;
                    }
                } catch (RocksDBException e) {
                    // The background work was stopped.
                }
            }
            comparator.lies = random.nextBoolean();
        }
        verify(path, written, tried);
    }

    private static void read(RocksDB db, MultiGet request, KeyValueIterator entries, Random random, byte[] key) {
        switch (random.nextInt(8)) {
            case 0, 1, 2 -> db.get(key);
            case 3, 4 -> {
                request.clear();
                for (int i = random.nextInt(200); i >= 0; i--) {
                    request.add(("key" + random.nextInt(KEYS)).getBytes(StandardCharsets.UTF_8));
                }
                request.execute().close();
            }
            case 5 -> {
                boolean isThere = entries.seek(key);
                for (int i = 0; i < 20 && isThere; i++) {
                    isThere = random.nextBoolean() ? entries.next() : entries.previous();
                }
            }
            case 6 -> {
                int[] left = {5 * KEYS};
                db.scan((_, _) -> {
                    if (--left[0] == 0) {
                        throw new AssertionError("A scan does not end");
                    }
                    return true;
                });
            }
            default -> {
                if (random.nextInt(20) == 0) {
                    db.compact();
                } else if (random.nextInt(5) == 0) {
                    db.flush();
                } else {
                    db.keyMayExist(MemorySegment.ofArray(key));
                }
            }
        }
    }

    /** All that was acknowledged is there, in order, and nothing that was not written. */
    private static void verify(Path path, Set<String> written, Set<String> tried) {
        try (RocksDB db = RocksDB.open(path, options(new Liar(Kind.RANDOM, 0)))) {
            List<String> found = new ArrayList<>();
            db.scan((key, _) -> found.add(new String(key.toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8)));
            if (!found.equals(new ArrayList<>(new TreeSet<>(found))) || !found.containsAll(written)
                    || !tried.containsAll(found)) {
                written.removeAll(found);
                throw new AssertionError("In another order, or lost: " + written.size() + " of " + tried.size()
                        + ", there are "
                        + found.size() + "; " + written.stream().filter(k -> !found.contains(k)).limit(5).toList());
            }
            for (String key : written) {
                if (db.get(key.getBytes(StandardCharsets.UTF_8)) == null) {
                    throw new AssertionError("Not found: " + key);
                }
            }
            db.compact();
            db.verifyChecksum();
        }
    }
}
