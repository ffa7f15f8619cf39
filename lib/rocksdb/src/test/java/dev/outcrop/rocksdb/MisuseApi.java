package dev.outcrop.rocksdb;

import dev.outcrop.testsupport.misuse.MisuseMethods;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** The public methods to call, and how often to call them. */
final class MisuseApi {
    /** Methods that are not called, and why. */
    private static final Map<String, String> LEFT_OUT = Map.of(
            "Env.lowerIoPriority", "cannot be undone, and makes all later flushes of the process wait for others",
            "Env.lowerCpuPriority", "cannot be undone, and makes all later flushes of the process wait for others",
            "Options.infoLogToStandardError", "only fills the output");

    private MisuseApi() {
    }

    static MisuseMethods methods() throws IOException {
        return new MisuseMethods(publicTypes(), MisuseApi::isLiving,
                method -> method.name.endsWith(".close") || method.name.equals("BackupEngine.stopBackup"),
                method -> LEFT_OUT.containsKey(method.name));
    }

    /** The public types of the package, also those that are members of others; without the generated binding. */
    static List<Class<?>> publicTypes() throws IOException {
        return MisuseMethods.publicTypes(RocksDB.class);
    }

    private static boolean isLiving(Class<?> type) {
        return AutoCloseable.class.isAssignableFrom(type) || KeyValueReader.class.isAssignableFrom(type)
                || KeyValueWriter.class.isAssignableFrom(type);
    }
}
