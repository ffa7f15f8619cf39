package dev.outcrop.testsupport.misuse;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A public method or constructor that a run calls, with the cost of its calls so far. Thread-safe. */
public final class MisuseMethod {
    /** The average cost of a call. More expensive methods are called less often. */
    private static final double BUDGET_NANOS = 15_000;
    private static final int FIRST_CALLS = 20;
    private static final long FIRST_NANOS = 200_000_000;

    /** The public type of the method. Targets of calls have this type. */
    public final Class<?> owner;
    /** For example {@code RocksDB.get}; constructors are called {@code new}. */
    public final String name;
    public final Type[] parameters;
    private final Executable executable;
    private final AtomicLong calls = new AtomicLong();
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicLong returned = new AtomicLong();

    public MisuseMethod(Class<?> owner, Executable executable) {
        this.owner = owner;
        this.executable = executable;
        this.parameters = executable.getGenericParameterTypes();
        String type = owner.getName().substring(owner.getPackageName().length() + 1);
        this.name = type + "." + (executable instanceof Method ? executable.getName() : "new");
        executable.setAccessible(true);
    }

    public boolean needsTarget() {
        return executable instanceof Method && !Modifier.isStatic(executable.getModifiers());
    }

    public Class<?> returnType() {
        return executable instanceof Method method ? method.getReturnType() : owner;
    }

    /** Returns whether to call it now: always for cheap methods, sometimes for expensive ones. */
    public boolean isDue(Random random) {
        long count = calls.get();
        long time = nanos.get();
        return (count < FIRST_CALLS && time < FIRST_NANOS) || random.nextDouble() * time < BUDGET_NANOS * count;
    }

    /** Calls it. */
    @Nullable
    public Object call(@Nullable Object target, @Nullable Object[] arguments) throws InvocationTargetException {
        long start = System.nanoTime();
        try {
            Object result = executable instanceof Method method
                    ? method.invoke(target, arguments)
                    : ((Constructor<?>) executable).newInstance(arguments);
            returned.incrementAndGet();
            return result;
        } catch (IllegalAccessException | InstantiationException e) {
            throw new IllegalStateException(name, e);
        } finally {
            nanos.addAndGet(System.nanoTime() - start);
            calls.incrementAndGet();
        }
    }

    public long calls() {
        return calls.get();
    }

    /** Returns how many calls have not thrown. */
    public long returned() {
        return returned.get();
    }

    public long nanos() {
        return nanos.get();
    }

    @Override
    public String toString() {
        return executable.toGenericString();
    }
}
