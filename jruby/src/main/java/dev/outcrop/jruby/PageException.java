package dev.outcrop.jruby;

/** The pages of a queue cannot do what was asked: Ruby's {@code Mmap::PageHandlerError}. */
class PageException extends RuntimeException {
    private static final long serialVersionUID = 1;

    PageException(String message) {
        super(message);
    }
}
