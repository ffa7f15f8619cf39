package dev.outcrop.jruby.mmap;

/** Ruby's {@code Mmap::PageHandlerError}. */
class PageException extends RuntimeException {
    private static final long serialVersionUID = 1;

    PageException(String message) {
        super(message);
    }
}
