package dev.outcrop.jruby.mmap;

/** Ruby's {@code Mmap::PageHandlerError}. */
class PageException extends RuntimeException {
    private static final long serialVersionUID = 1;

    PageException(String message) {
        super(message);
    }

    /** The pages are full until a record is read. */
    static final class Full extends PageException {
        private static final long serialVersionUID = 1;

        Full(String message) {
            super(message);
        }
    }
}
