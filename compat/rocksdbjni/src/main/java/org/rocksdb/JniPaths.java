package org.rocksdb;

/** Checks paths and texts for native methods of JNI. */
final class JniPaths {

    private JniPaths() {
    }

    /** Checks a path of a database with zero bytes in names of families. */
    static String path(String path) throws RocksDBException {
        return path(path, "open, create or list families that have a zero byte in their names");
    }

    /** Checks a path for a function of JNI. There the JVM encodes texts in its own way. */
    static String path(String path, String what) throws RocksDBException {
        if (!canCarry(path)) {
            throw new RocksDBException(new Status(Status.Code.InvalidArgument, Status.SubCode.None, "The path '" + path
                    + "' has characters beyond U+FFFF, with which the library cannot " + what + ": use another path"));
        }
        return path;
    }

    /** Returns whether JNI passes a text to the library as plain UTF-8. */
    static boolean canCarry(String text) {
        return text.chars().noneMatch(c -> c == 0 || Character.isSurrogate((char) c));
    }
}
