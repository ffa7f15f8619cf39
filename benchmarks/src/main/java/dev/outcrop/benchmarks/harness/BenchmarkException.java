package dev.outcrop.benchmarks.harness;

/** A benchmark could not be run; the message is for the person who started it. */
public final class BenchmarkException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /**
     * Creates the exception.
     *
     * @param message what failed and what to do about it
     */
    public BenchmarkException(String message) {
        super(message);
    }

    /**
     * Creates the exception.
     *
     * @param message what failed and what to do about it
     * @param cause   why
     */
    public BenchmarkException(String message, Throwable cause) {
        super(message, cause);
    }
}
