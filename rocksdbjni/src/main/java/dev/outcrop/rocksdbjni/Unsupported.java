package dev.outcrop.rocksdbjni;

/** What does not work yet. Coverage is counted by what calls this class, so nothing else says "not supported". */
public final class Unsupported {

    private Unsupported() {
    }

    /**
     * To be thrown by a method that does nothing yet.
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
     * Throws: for constructors, before they call another one.
     *
     * @param constructor its class and parameters
     */
    @SuppressWarnings("DoNotCallSuggester") // called where a constructor must be left before it calls another one
    public static void refuse(String constructor) {
        throw method(constructor);
    }
}
