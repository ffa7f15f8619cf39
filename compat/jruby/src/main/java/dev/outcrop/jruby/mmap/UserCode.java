package dev.outcrop.jruby.mmap;

import java.util.function.Supplier;

/**
 * Runs the user's code, a serializer or a block, within our own code. Its exceptions pass through {@link MmapErrors} unchanged, because
 * they say nothing about our files.
 */
final class UserCode {
    private UserCode() {
    }

    /** Carries an exception of the user's code. */
    static final class Thrown extends RuntimeException {
        private static final long serialVersionUID = 1;

        /** Any exception: Ruby code also throws checked exceptions from the Java code that it calls. */
        final Throwable thrown;

        Thrown(Throwable thrown) {
            super(null, thrown, false, false);
            this.thrown = thrown;
        }
    }

    static <T> T run(Supplier<T> code) {
        try {
            return code.get();
        } catch (Throwable e) {
            throw new Thrown(e);
        }
    }
}
