package dev.outcrop.rocksdbjni;

import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.rocksdb.AbstractComparator;
import org.rocksdb.ComparatorOptions;

/** A comparator of {@link FailingComparators}, which is sound until some comparison, and throws or lies from then on. */
final class FailingComparator extends AbstractComparator {
    /**
     * Lets failures begin where nothing can prevent that data is lost, which is counted then, or that the process ends: while the caller's
     * thread opens, ingests, deletes files, moves them to another level or iterates backwards.
     */
    static final boolean ANYWHERE = Boolean.getBoolean("outcrop.failing.anywhere");
    /** Threads that are not RocksDB's. */
    private static final Set<Thread> OWN = ConcurrentHashMap.newKeySet();

    private final Fault fault;

    FailingComparator(ComparatorOptions options, Fault fault) {
        super(options);
        this.fault = fault;
    }

    @Override
    public String name() {
        return "test.Failing";
    }

    @Override
    public int compare(ByteBuffer a, ByteBuffer b) {
        return fault.compare(a, b);
    }

    /** Says of the current thread that it is not RocksDB's. */
    static void enter() {
        OWN.add(Thread.currentThread());
    }

    static void leave() {
        OWN.remove(Thread.currentThread());
    }

    /** The behaviour of a comparator that fails. */
    enum Kind {
        THROWS,
        THROWS_SOMETIMES,
        THROWS_ONCE,
        THROWS_FOR_A_WHILE,
        THROWS_FOR_SOME_KEYS,
        THROWS_IN_BACKGROUND,
        THROWS_ONCE_IN_BACKGROUND,
        THROWS_IN_CALLER,
        OVERFLOWS,
        RUNS_OUT_OF_MEMORY,
        IS_GIVEN_A_BAD_KEY,
        RANDOM,
        RANDOM_IN_BACKGROUND,
        SOMETIMES_REVERSED,
        REVERSED,
        REVERSED_IN_BACKGROUND,
        ALWAYS_EQUAL,
        ALWAYS_LESS;

        static Kind of(long seed) {
            return values()[(int) Math.floorMod(seed, (long) values().length)];
        }

        /** Whether it gives wrong answers, where others throw. */
        boolean isLiar() {
            return switch (this) {
                case RANDOM, RANDOM_IN_BACKGROUND, SOMETIMES_REVERSED, REVERSED, REVERSED_IN_BACKGROUND, ALWAYS_EQUAL,
                        ALWAYS_LESS ->
                    true;
                default -> false;
            };
        }

        /** Whether it answers or throws for the same keys on the same thread as it did before. */
        boolean isSteady() {
            return switch (this) {
                case THROWS, THROWS_FOR_SOME_KEYS, THROWS_IN_BACKGROUND, THROWS_IN_CALLER, IS_GIVEN_A_BAD_KEY -> true;
                default -> false;
            };
        }

        /** Whether it is sound on the threads of the program. */
        boolean isInBackground() {
            return switch (this) {
                case THROWS_IN_BACKGROUND, THROWS_ONCE_IN_BACKGROUND, RANDOM_IN_BACKGROUND, REVERSED_IN_BACKGROUND ->
                    true;
                default -> false;
            };
        }
    }

    /** When the comparators of a database begin to fail, and how. */
    static final class Fault {
        final Kind kind;
        final boolean isReversed;
        private final AtomicInteger left;
        private final AtomicInteger failures = new AtomicInteger();
        private volatile boolean begun;
        private volatile boolean isSound;
        /** How many calls are running in which no failure may begin. */
        private int sheltered;
        private volatile String begunIn = "";

        /** Begins to fail after some comparisons. */
        Fault(Kind kind, boolean isReversed, int comparisons) {
            this.kind = kind;
            this.isReversed = isReversed;
            left = new AtomicInteger(comparisons);
        }

        static Fault never(boolean isReversed) {
            Fault never = new Fault(Kind.THROWS, isReversed, 0);
            never.end();
            return never;
        }

        /** Makes the comparators sound for good. */
        void end() {
            isSound = true;
        }

        boolean hasBegun() {
            return begun;
        }

        /** On which thread it has begun. */
        String begunIn() {
            return begunIn;
        }

        /** Whether a call may be refused: some keys may be bad from the beginning on. */
        boolean mayRefuse() {
            return begun || kind == Kind.IS_GIVEN_A_BAD_KEY;
        }

        Comparator<String> order() {
            return isReversed ? Comparator.reverseOrder() : Comparator.naturalOrder();
        }

        /** Keeps failures from beginning, unless they have. */
        synchronized boolean shelter() {
            if (begun && !ANYWHERE && !isHarmless()) {
                return false;
            }
            sheltered++;
            return true;
        }

        /** Returns whether the failure cannot harm a sheltered call. A liar in the background can: it puts files in a wrong order. */
        private boolean isHarmless() {
            return kind.isInBackground() && !kind.isLiar();
        }

        synchronized void leave() {
            sheltered--;
        }

        synchronized void begin() {
            if (!begun && (sheltered == 0 || ANYWHERE || isHarmless())) {
                begun = true;
                begunIn = Thread.currentThread() + (sheltered == 0 ? "" : ", sheltered");
            }
        }

        int compare(ByteBuffer a, ByteBuffer b) {
            int order = isReversed ? b.compareTo(a) : a.compareTo(b);
            if (isSound) {
                return order;
            }
            boolean isOwn = OWN.contains(Thread.currentThread());
            if (kind == Kind.IS_GIVEN_A_BAD_KEY) {
                if (a.remaining() < 3 || b.remaining() < 3) {
                    throw new IndexOutOfBoundsException("on purpose");
                }
                return order;
            }
            if (!begun) {
                if (left.decrementAndGet() > 0 || (isOwn && kind.isInBackground())) {
                    return order;
                }
                begin();
                if (!begun) {
                    return order;
                }
            }
            if (isOwn ? kind.isInBackground() : kind == Kind.THROWS_IN_CALLER) {
                return order;
            }
            int failure = failures.incrementAndGet();
            return switch (kind) {
                case THROWS, THROWS_IN_BACKGROUND, THROWS_IN_CALLER -> throw new IllegalArgumentException("on purpose");
                case THROWS_SOMETIMES -> throwIf(failure % 7 == 0, order);
                case THROWS_ONCE, THROWS_ONCE_IN_BACKGROUND -> throwIf(failure == 1, order);
                case THROWS_FOR_A_WHILE -> throwIf(failure <= 300, order);
                case THROWS_FOR_SOME_KEYS -> throwIf(isBad(a) || isBad(b), order);
                case OVERFLOWS -> throw new StackOverflowError("on purpose");
                case RUNS_OUT_OF_MEMORY -> throw new OutOfMemoryError("on purpose");
                case RANDOM, RANDOM_IN_BACKGROUND -> Integer.remainderUnsigned(failure * 0x9E3779B9, 3) - 1;
                case SOMETIMES_REVERSED -> (failure * 0x9E3779B9) >>> 26 == 0 ? -order : order;
                case REVERSED, REVERSED_IN_BACKGROUND -> -order;
                case ALWAYS_EQUAL -> 0;
                case ALWAYS_LESS -> -1;
                case IS_GIVEN_A_BAD_KEY -> order;
            };
        }

        private static int throwIf(boolean fails, int order) {
            if (fails) {
                throw new IllegalArgumentException("on purpose");
            }
            return order;
        }

        private static boolean isBad(ByteBuffer key) {
            return key.remaining() > 0 && key.get(key.limit() - 1) == '7';
        }
    }
}
