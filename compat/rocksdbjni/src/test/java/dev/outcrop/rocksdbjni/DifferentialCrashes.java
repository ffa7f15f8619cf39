package dev.outcrop.rocksdbjni;

import java.lang.reflect.Executable;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.rocksdb.RocksDB;
import org.rocksdb.Transaction;

/**
 * Calls that cannot be compared: with the published jar they end the process, read unmapped memory, delete files of another database, or
 * fail only because assertions are on.
 */
final class DifferentialCrashes {

    private DifferentialCrashes() {
    }

    /** Whether null as an argument does, or does nothing at all. */
    static boolean ofNull(Executable method, int argument) {
        Class<?>[] types = method.getParameterTypes();
        if (method.getName().equals("flush")) {
            // No family is flushed. The documentation says that it is the default one, and here it is.
            return true;
        }
        // An array is not looked at before JNI gets it, if its length is another argument.
        return types[argument] == byte[].class && argument + 1 < types.length && types[argument + 1] == int.class;
    }

    /** Whether a call that skips validation may be refused here: the C API of RocksDB always validates. */
    private static boolean mayBeRefused(Executable method, Object[] arguments, DifferentialWorld world) {
        boolean validates = !method.getName().endsWith("Untracked")
                && !(method.getName().matches("getForUpdate") && Boolean.FALSE.equals(arguments[arguments.length - 1]));
        boolean assumes = !method.getName().startsWith("get") && arguments.length > 0
                && Boolean.TRUE.equals(arguments[arguments.length - 1]);
        return method.getDeclaringClass() == Transaction.class && (!validates || assumes)
                && (world.form == DifferentialWorld.Form.LOCKING
                        ? world.transaction.getSnapshot() != null
                        : world.indexingWasDisabled);
    }

    /** Whether a call does. */
    static boolean of(Executable method, Object[] arguments, DifferentialWorld world) {
        if (method.getDeclaringClass() == RocksDB.class && method.getName().equals("get")
                && Arrays.stream(arguments).anyMatch(each -> each instanceof ByteBuffer buffer && !buffer.isDirect())) {
            // An assertion says that buffers are direct; without assertions, those on the heap work.
            return true;
        }
        if (method.getName().matches("get|keyMayExist|multiGetByteBuffers|key|value")
                && arguments.length > 0
                && isReadOnly(arguments[arguments.length - 1])) {
            // Values are written to memory that must not be written.
            return true;
        }
        if (method.getDeclaringClass() == Transaction.class && world.form == DifferentialWorld.Form.LOCKING
                && !method.getName().startsWith("get") && arguments.length > 0
                && Boolean.TRUE.equals(arguments[arguments.length - 1])) {
            // A key that is taken for tracked, but is not, stays locked until the database is closed.
            return true;
        }
        if (world.form.isForReading() && method.getName().matches("deleteFilesInRanges|promoteL0")) {
            // They change the files of the primary database; here they are refused.
            return true;
        }
        if (mayBeRefused(method, arguments, world)) {
            return true;
        }
        // Neither offset nor length are looked at, and so much memory is taken.
        return method.getName().equals("delete")
                && Arrays.stream(arguments).anyMatch(argument -> argument instanceof Integer number && number < 0);
    }

    private static boolean isReadOnly(Object argument) {
        return argument instanceof List<?> list
                ? list.stream().anyMatch(DifferentialCrashes::isReadOnly)
                : argument instanceof ByteBuffer buffer && buffer.isReadOnly();
    }
}
