package dev.outcrop.rocksdbjni;

/**
 * Exceptions for methods that are not supported yet. The coverage report counts the callers of this class, so no other code throws these
 * exceptions.
 */
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
     * Throws the exception, for constructors that must throw it before they call another constructor.
     *
     * @param constructor its class and parameters
     */
    @SuppressWarnings("DoNotCallSuggester") // called where a constructor must be left before it calls another one
    public static void refuse(String constructor) {
        throw method(constructor);
    }
}
