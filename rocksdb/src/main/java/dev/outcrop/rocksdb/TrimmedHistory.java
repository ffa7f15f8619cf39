package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

/** A database with timestamps that is opened without its last changes. */
final class TrimmedHistory {
    private TrimmedHistory() {
    }

    static OpenedHandles open(Path path, Options options, Map<String, Options> families, byte[] timestamp) {
        byte[] copy = timestamp.clone();
        Objects.requireNonNull(options, "options");
        Objects.requireNonNull(families, "families");
        DatabaseOpener.requireDatabase(path, "");
        for (String family : DatabaseOpener.families(path, options)) {
            int size = families.getOrDefault(family, options).timestampSize();
            if (copy.length == 0 || (size != 0 && size != copy.length)) {
                throw DatabaseOpener.fail(path, Status.Code.INVALID_ARGUMENT, Status.SubCode.NONE, "the timestamp has "
                        + copy.length + " bytes, but those of the column family " + family + " have " + size);
            }
        }
        return DatabaseOpener.open(path, options, families, DatabaseKind.PLAIN,
                (native_, name, count, names, familyOptions, handles, error) -> {
                    try (Scratch scratch = Native.scratch()) {
                        MemorySegment bytes = scratch.allocate(copy.length, 1);
                        MemorySegment.copy(copy, 0, bytes, ValueLayout.JAVA_BYTE, 0, copy.length);
                        return CApi.rocksdb_open_and_trim_history(native_, name, count, names, familyOptions, handles,
                                bytes, copy.length, error);
                    }
                });
    }
}
