package org.rocksdb;

import java.util.Objects;

/** A merge operator that appends operands to a value, separated by a delimiter. */
public class StringAppendOperator extends MergeOperator {

    /** Makes an operator with a comma as the delimiter. */
    public StringAppendOperator() {
        this(',');
    }

    /**
     * Makes an operator with a delimiter.
     *
     * @param delim an ASCII character
     */
    public StringAppendOperator(char delim) {
        super(Exports.STRING_APPEND_OPERATOR_NEW_SHARED_STRING_APPEND_OPERATOR_C.call(delim));
    }

    /**
     * Makes an operator with a delimiter.
     *
     * @param delim any text, also an empty one; a zero in it becomes the two bytes C0 80, as with the published class
     */
    public StringAppendOperator(String delim) {
        super(make(Objects.requireNonNull(delim, "delim")));
    }

    private static long make(String delim) {
        JniLibrary.require(
                "Java_org_rocksdb_StringAppendOperator_newSharedStringAppendOperator__Ljava_lang_String_2");
        return newSharedStringAppendOperator(delim);
    }

    private static native long newSharedStringAppendOperator(String delim);

    @Override
    protected final void disposeInternal(long handle) {
        Exports.STRING_APPEND_OPERATOR_DISPOSE_INTERNAL_JNI.call(handle);
    }
}
