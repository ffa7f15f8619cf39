package dev.outcrop.benchmarks.harness;

/** Thrown when a benchmark cannot run. The message is for the person who started it. */
public class BenchmarkException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public BenchmarkException(String message) {
        super(message);
    }

    public BenchmarkException(String message, Throwable cause) {
        super(message, cause);
    }
}
