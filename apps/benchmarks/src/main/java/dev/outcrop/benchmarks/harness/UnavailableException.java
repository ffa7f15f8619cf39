package dev.outcrop.benchmarks.harness;

/** Thrown when a case cannot be measured on this machine, for example because its peer is missing. The other cases go on. */
public final class UnavailableException extends BenchmarkException {
    private static final long serialVersionUID = 1;

    public UnavailableException(String message) {
        super(message);
    }

    /** Throws this exception if a child process has ended with it, as its output says. */
    static void rethrow(String output) {
        String thrown = UnavailableException.class.getName() + ": ";
        int at = output.indexOf(thrown);
        if (at >= 0) {
            throw new UnavailableException(output.substring(at + thrown.length()).lines().findFirst().orElse(""));
        }
    }
}
