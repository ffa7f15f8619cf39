package dev.outcrop.rocksdbjni;

/** Exceptions for methods that are not supported yet. Coverage is counted by the callers of this class, so nothing else throws them. */
public final class Unsupported {

    private Unsupported() {
    }

    /**
     * Makes the exception for a method that is not supported.
     *
     * @param method its name and parameters
     * @return an exception that names it
     */
    public static UnsupportedOperationException method(String method) {
        return new UnsupportedOperationException(
                "org.rocksdb." + method + " is not supported by Outcrop's rocksdbjni yet;"
                        + " docs/org-rocksdb-coverage.md lists what is");
    }

    /**
     * Throws, for constructors before they call another one.
     *
     * @param constructor its class and parameters
     */
    @SuppressWarnings("DoNotCallSuggester") // called where a constructor must be left before it calls another one
    public static void refuse(String constructor) {
        throw method(constructor);
    }
}
