package org.rocksdb;

/** A merge operator that appends operands to a value, with a delimiter between them. */
public class StringAppendOperator extends MergeOperator {

    private static final String MANY = "StringAppendOperator(String) with a delimiter that is not one ASCII character";

    /** With a comma as the delimiter. */
    public StringAppendOperator() {
        this(',');
    }

    /**
     * With a delimiter.
     *
     * @param delim an ASCII character
     */
    public StringAppendOperator(char delim) {
        super(Exports.STRING_APPEND_OPERATOR_NEW_SHARED_STRING_APPEND_OPERATOR_C.call(delim));
    }

    /**
     * With a delimiter.
     *
     * @param delim one ASCII character
     * @throws UnsupportedOperationException for any other text: C has no function for it
     */
    public StringAppendOperator(String delim) {
        this(single(delim));
    }

    private static char single(String delim) {
        if (delim.length() != 1 || delim.charAt(0) > 127) {
            throw dev.outcrop.rocksdbjni.Unsupported.method(MANY);
        }
        return delim.charAt(0);
    }

    @Override
    protected final void disposeInternal(long handle) {
        Exports.STRING_APPEND_OPERATOR_DISPOSE_INTERNAL_JNI.call(handle);
    }
}
