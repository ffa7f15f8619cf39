package dev.outcrop.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.DirectoryUse;
import dev.outcrop.rocksdb.engine.OsPath;
import dev.outcrop.rocksdb.engine.callbacks.NativeHeap;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.nio.file.Path;
import java.util.Objects;

/** Carries out compactions for a database that is open elsewhere: the worker's side of a {@link CompactionService}. */
public final class RemoteCompaction {
    private RemoteCompaction() {
    }

    /**
     * Carries out a compaction. This method only reads the database's files; the database takes the new files from the output directory.
     *
     * @param database the directory of the database
     * @param output   the directory for the new files; created if need be
     * @param input    the input that {@link CompactionService#schedule} was given
     * @param override objects that the stored options of the database cannot hold: comparator, merge operator, filters and so on, the same
     *                 as the database was opened with
     * @param options  the options of the compaction, and its cancellation
     * @return the result, which {@link CompactionService#waitFor} must pass to its sink
     * @throws RocksDBException if it fails or is canceled
     */
    public static byte[] run(Path database, Path output, byte[] input, CompactionServiceOptionsOverride override,
            OpenAndCompactOptions options) {
        Objects.requireNonNull(database, "database");
        Objects.requireNonNull(output, "output");
        Objects.requireNonNull(input, "input");
        Path from = DatabaseDirectory.normalize(database);
        Path to = DatabaseDirectory.normalize(output);
        try (Scratch scratch = ApiCall.scratch(); DirectoryUse use = DirectoryUse.begin(OsPath.text(to))) {
            if (use == null) {
                throw DatabaseDirectory.fail(from, Status.Code.BUSY,
                        "another thread of this process is destroying a database in the output directory " + to);
            }
            MemorySegment in = ApiCall.in(scratch, MemorySegment.ofArray(input));
            MemorySegment fromText = OsPath.in(scratch, from);
            MemorySegment toText = OsPath.in(scratch, to);
            long error = ApiCall.error(scratch);
            long result = CApi.rocksdb_open_and_compact_with_options(options.use(), fromText, toText, in, input.length,
                    scratch.wordAddress(1), override.use(), error);
            try {
                ApiCall.check(scratch);
                return NativeCalls.view(result, scratch.word(1)).toArray(ValueLayout.JAVA_BYTE);
            } finally {
                NativeHeap.free(result);
            }
        } finally {
            Reference.reachabilityFence(override);
            Reference.reachabilityFence(options);
        }
    }
}
