package dev.outcrop.rocksdbjni;

import java.lang.reflect.Executable;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.rocksdb.RocksDB;

/**
 * What ends the process with the published jar, or reads memory that is not there, or only fails because assertions are on, and so cannot be
 * compared.
 */
final class DifferentialCrashes {

    private DifferentialCrashes() {
    }

    /** Whether null as an argument does. */
    static boolean ofNull(Executable method, int argument) {
        Class<?>[] types = method.getParameterTypes();
        // An array is not looked at before JNI gets it, if its length is another argument.
        return types[argument] == byte[].class && argument + 1 < types.length && types[argument + 1] == int.class;
    }

    /** Whether a call does. */
    static boolean of(Executable method, Object[] arguments, DifferentialWorld world) {
        if (method.getDeclaringClass() == RocksDB.class && method.getName().equals("get")
                && Arrays.stream(arguments).anyMatch(each -> each instanceof ByteBuffer buffer && !buffer.isDirect())) {
            // An assertion says that buffers are direct; without assertions, those on the heap work.
            return true;
        }
        // Neither offset nor length are looked at, and so much memory is taken.
        return method.getName().equals("delete")
                && Arrays.stream(arguments).anyMatch(argument -> argument instanceof Integer number && number < 0);
    }
}
