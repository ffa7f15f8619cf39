package dev.outcrop.rocksdb;

import dev.outcrop.memory.Upcall;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Callbacks of any type that return anything they may return, throw, keep what they are shown, close the database that calls them,
 * and, if it is not RocksDB that calls them but Java, use the API from inside.
 */
final class MisuseCallbacks {
    private static final int SINK_BYTES = 3000;

    private final MisuseObjects objects;
    private final MisuseSegments segments;
    /** Makes one more call of the run on the calling thread, if that is one of its threads. */
    private final Consumer<Random> oneMoreCall;

    /** What callbacks throw, and what may therefore come out of any call. */
    static final class Provoked extends RuntimeException {
        private static final long serialVersionUID = 1;

        Provoked() {
            super("thrown by a callback", null, true, false);
        }
    }

    MisuseCallbacks(MisuseObjects objects, MisuseSegments segments, Consumer<Random> oneMoreCall) {
        this.objects = objects;
        this.segments = segments;
        this.oneMoreCall = oneMoreCall;
    }

    <T> T of(Class<T> type) {
        T callback = type
                .cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[]{type}, new Handler(type)));
        objects.show(callback, new Random());
        return callback;
    }

    private final class Handler implements InvocationHandler {
        private final Class<?> type;

        Handler(Class<?> type) {
            this.type = type;
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
                return order(arguments);
            }
            if (method.isDefault() && method.getReturnType() != void.class) {
                return InvocationHandler.invokeDefault(proxy, method, given);
            }
            Random random = new Random();
            misbehave(arguments, random);
            return result(method.getReturnType(), random);
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
                sink.set(new byte[random.nextInt(SINK_BYTES)]);
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
        if (!Upcall.isRunning()) {
            if (choice < 10) {
                oneMoreCall.accept(random);
            }
        } else if (choice == 2) {
            closeDatabase(random);
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
