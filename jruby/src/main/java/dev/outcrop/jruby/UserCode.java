package dev.outcrop.jruby;

import java.util.function.Supplier;

/**
 * Code of the user that runs amidst our own: his serializer, or his block. Whatever it throws passes through {@link Failures} as it is,
 * because it says nothing about our files.
 */
final class UserCode {
    private UserCode() {
    }

    /** What it has thrown, on its way out. */
    static final class Thrown extends RuntimeException {
        private static final long serialVersionUID = 1;

        /** Also what Java does not know to be thrown: Ruby code throws whatever the Java code throws that it calls. */
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
