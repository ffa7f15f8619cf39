package dev.outcrop.benchmarks.calls;

import java.util.Locale;

/** The kind of thread that makes the calls. The names are those that JMH's property {@code jmh.executor} takes. */
enum ThreadKind {
    PLATFORM,
    VIRTUAL;

    private static final String PROPERTY = "jmh.executor";

    /** What makes a forked JVM run benchmarks on threads of this kind. */
    String jvmArg() {
        return "-D" + PROPERTY + '=' + name();
    }

    /** Fails if the calling thread is not of the kind that this JVM was asked for. */
    static void requireAsAsked() {
        boolean isVirtual = Thread.currentThread().isVirtual();
        if (isVirtual != VIRTUAL.name().equals(System.getProperty(PROPERTY))) {
            throw new IllegalStateException("JMH ignored -D" + PROPERTY + '=' + System.getProperty(PROPERTY));
        }
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
