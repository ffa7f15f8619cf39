package dev.outcrop.rocksdb;

import dev.outcrop.memory.Upcall;
import dev.outcrop.testsupport.misuse.MisuseObjects;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Callbacks of any type that return anything they may return, throw, keep what they are shown, close the database that calls them, use the
 * API from inside, and use up the stack; and comparators that contradict themselves.
 */
final class MisuseCallbacks {
    private static final int SINK_BYTES = 3000;
    /** One of so many comparisons makes a call. */
    private static final int NESTED = 500;
    /** So many at most before a comparator lies. */
    private static final int SOUND_COMPARISONS = 1000;

    private final MisuseObjects objects;
    private final MisuseSegments segments;
    private final Caller caller;

    /** The thread of the run that calls, if it is one. */
    interface Caller {
        /** Makes one more call of the run. */
        void oneMoreCall();

        /** Whether the call that the callback is in was made where the stack ends. */
        boolean isAtEndOfStack();
    }

    /** The behaviour of a comparator from some comparison on. */
    private enum Order {
        SOUND,
        THROWS,
        LIES_SOMETIMES,
        IS_ALWAYS_LESS,
        IS_RANDOM;

        private static final int SOUND_OF_TEN = 6;

        static Order any(Random random) {
            return random.nextInt(10) < SOUND_OF_TEN ? SOUND : values()[random.nextInt(values().length)];
        }
    }

    /** Exceptions that callbacks throw, and that any call may therefore throw. */
    static final class Provoked extends RuntimeException {
        private static final long serialVersionUID = 1;

        Provoked() {
            super("thrown by a callback", null, true, false);
        }
    }

    MisuseCallbacks(MisuseObjects objects, MisuseSegments segments, Caller caller) {
        this.objects = objects;
        this.segments = segments;
        this.caller = caller;
    }

    <T> T of(Class<T> type) {
        T callback = type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[]{type}, new Handler(type)));
        objects.show(callback, new Random());
        return callback;
    }

    private final class Handler implements InvocationHandler {
        private final Class<?> type;
        /** Of a comparator. */
        private final Order order;
        private final AtomicInteger soundComparisons;

        Handler(Class<?> type) {
            this.type = type;
            Random random = new Random();
            this.order = Order.any(random);
            this.soundComparisons = new AtomicInteger(random.nextInt(SOUND_COMPARISONS));
        }

        @Override
        @SuppressWarnings("ReferenceEquality") // what Object does
        public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] given)
                throws Throwable {
            @Nullable
            Object[] arguments = given == null ? new Object[0] : given;
            if (method.getDeclaringClass() == Object.class) {
                return switch (method.getName()) {
                    case "equals" -> proxy == arguments[0];
                    case "hashCode" -> System.identityHashCode(proxy);
                    default -> toString();
                };
            }
            if (method.getName().equals("name")) {
                return toString();
            }
            if (method.getName().equals("compare")) {
                return compare(arguments);
            }
            if (method.isDefault() && method.getReturnType() != void.class) {
                return InvocationHandler.invokeDefault(proxy, method, given);
            }
            Random random = new Random();
            if (!caller.isAtEndOfStack()) {
                misbehave(arguments, random);
            } else if (random.nextInt(4) == 0) {
                int _ = overflow();
            }
            return result(method.getReturnType(), random);
        }

        private int compare(@Nullable Object[] arguments) {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            if (random.nextInt(NESTED) == 0) {
                if (caller.isAtEndOfStack()) {
                    int _ = overflow();
                }
                caller.oneMoreCall();
            }
            int sound = order(arguments);
            if (order == Order.SOUND || soundComparisons.getAndDecrement() > 0) {
                return sound;
            }
            return switch (order) {
                case THROWS -> {
                    if (random.nextInt(50) == 0) {
                        throw new Provoked();
                    }
                    yield sound;
                }
                case LIES_SOMETIMES -> random.nextInt(50) == 0 ? -sound : sound;
                case IS_ALWAYS_LESS -> -1;
                case IS_RANDOM -> random.nextInt(-1, 2);
                case SOUND -> sound;
            };
        }

        @Override
        public String toString() {
            return "misuse." + type.getSimpleName();
        }
    }

    private static int order(@Nullable Object[] arguments) {
        if (!(arguments[0] instanceof MemorySegment a) || !(arguments[1] instanceof MemorySegment b)) {
            return 0;
        }
        long at = a.mismatch(b);
        return at < 0
                ? 0
                : at == a.byteSize() || at == b.byteSize()
                        ? Long.compare(a.byteSize(), b.byteSize())
                        : Byte.compareUnsigned(a.get(ValueLayout.JAVA_BYTE, at), b.get(ValueLayout.JAVA_BYTE, at));
    }

    @SuppressWarnings("InfiniteRecursion") // That is what it is for.
    private static int overflow() {
        return overflow() + 1;
    }

    private void misbehave(@Nullable Object[] arguments, Random random) {
        for (Object argument : arguments) {
            if (argument != null) {
                // To be used when the callback has returned.
                objects.show(argument, random);
            }
            if (argument instanceof MemorySegment segment) {
                MisuseSegments.touch(segment);
                segments.keep(random, segment);
            } else if (argument instanceof ValueSink sink && random.nextInt(4) > 0) {
                sink.write(new byte[random.nextInt(SINK_BYTES)]);
            }
        }
        int choice = random.nextInt(40);
        if (choice == 0) {
            throw new Provoked();
        }
        if (choice == 1) {
            Arrays.stream(arguments).filter(ValueSink.class::isInstance).map(ValueSink.class::cast)
                    .forEach(sink -> sink.allocate(random.nextBoolean() ? -1 : Long.MAX_VALUE));
        }
        if (choice == 2 && Upcall.isRunning()) {
            closeDatabase(random);
        } else if (choice < 10) {
            caller.oneMoreCall();
        }
    }

    private void closeDatabase(Random random) {
        if (objects.any(RocksDB.class, random) instanceof RocksDB db) {
            try {
                db.close();
                throw new AssertionError("The " + db + " could be closed inside a callback");
            } catch (IllegalStateException e) {
                // As it must be.
            }
        }
    }

    private @Nullable Object result(Class<?> returned, Random random) {
        if (returned == boolean.class || returned == Object.class) {
            return random.nextInt(5) > 0;
        }
        if (returned == int.class) {
            return random.nextInt(-1, 5);
        }
        if (returned == long.class) {
            return random.nextLong(-1, 5);
        }
        if (returned.isEnum()) {
            Object[] constants = returned.getEnumConstants();
            return constants[random.nextInt(constants.length)];
        }
        if (returned == void.class) {
            return null;
        }
        if (returned == CompactionService.Scheduled.class) {
            return CompactionService.Scheduled.locally();
        }
        return returned.isInterface() ? of(returned) : null;
    }
}
