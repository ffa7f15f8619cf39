package dev.outcrop.jruby.mmap;

/** The pages are full until a record is read. */
final class PagesFullException extends PageException {
    private static final long serialVersionUID = 1;

    PagesFullException(String message) {
        super(message);
    }
}
