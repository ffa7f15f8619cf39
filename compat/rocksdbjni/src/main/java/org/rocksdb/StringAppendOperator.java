package org.rocksdb;

import dev.outcrop.rocksdbjni.NativeMethods;
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
        super(jniNewSharedStringAppendOperator(delim));
    }

    /**
     * Makes an operator with a delimiter.
     *
     * @param delim any text, even an empty one; a zero character in it becomes the two bytes C0 80, as with the published class
     */
    public StringAppendOperator(String delim) {
        super(make(Objects.requireNonNull(delim, "delim")));
    }

    private static long make(String delim) {
        NativeMethods.require(
                "Java_org_rocksdb_StringAppendOperator_newSharedStringAppendOperator__Ljava_lang_String_2");
        return newSharedStringAppendOperator(delim);
    }

    private static native long newSharedStringAppendOperator(String delim);

    @Override
    protected final void disposeInternal(long handle) {
        jniDisposeInternalJni(handle);
    }

    private static long jniNewSharedStringAppendOperator(char delim) {
        NativeMethods.require("Java_org_rocksdb_StringAppendOperator_newSharedStringAppendOperator__C");
        return newSharedStringAppendOperator(delim);
    }

    private static native long newSharedStringAppendOperator(char delim);

    private static void jniDisposeInternalJni(long handle) {
        NativeMethods.require("Java_org_rocksdb_StringAppendOperator_disposeInternalJni");
        disposeInternalJni(handle);
    }

    private static native void disposeInternalJni(long handle);
}
