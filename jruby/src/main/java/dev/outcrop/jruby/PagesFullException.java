package dev.outcrop.jruby;

/** There is no room until something was read. */
final class PagesFullException extends PageException {
    private static final long serialVersionUID = 1;

    PagesFullException(String message) {
        super(message);
    }
}
