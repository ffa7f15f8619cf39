package dev.outcrop.codegen.capi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CallsSourceTest {
    @TempDir
    Path directory;

    @Test
    void aMethodTakesWhatItsFunctionTakes() throws IOException {
        String source = source("class\tNativeSnapshots\tCalls of snapshots.",
                "call\trelease\trocksdb_release_snapshot\t\tReleases a snapshot.");

        assertThat(source).contains("package dev.outcrop.rocksdb.engine;", "public final class NativeSnapshots {", """
                    /** Releases a snapshot. */
                    public static void release(long db, long snapshot) {
                        CApi.rocksdb_release_snapshot(db, snapshot);
                    }
                """).doesNotContain("import java.lang.foreign", "Scratch");
    }

    @Test
    void charactersAreTruthValues() throws IOException {
        String source = source("class\tbatch.LogCalls\tCalls.", "call\tisAtBatch\trocksdb_wal_iter_valid\t\tReturns.",
                "call\tcancelAll\trocksdb_cancel_all_background_work\t\tStops.");

        assertThat(source).contains("package dev.outcrop.rocksdb.engine.batch;", "public abstract class LogCalls {",
                "public static boolean isAtBatch(long walIterator)",
                "return CApi.rocksdb_wal_iter_valid(walIterator) != 0;",
                "cancelAll(long db, boolean waits)", "(db, (byte) (waits ? 1 : 0));");
    }

    @Test
    void anErrorGoesToTheScratchMemoryOrToAWord() throws IOException {
        String source = source("class\tbatch.LogCalls\tCalls.", "call\tdestroy\trocksdb_destroy_db\t\tDeletes.",
                "call\tverify\trocksdb_verify_checksum\tscratch\tReads.");

        assertThat(source).contains("destroy(long options, MemorySegment name, long errptr)",
                "verify(Scratch scratch, long db)", "(db, NativeCall.error(scratch));",
                "import dev.outcrop.rocksdb.engine.NativeCall;");
    }

    @Test
    void mistakesInTheTableAreNamed() {
        assertThatThrownBy(() -> source("class\tA\tCalls.", "call\tclose\trocksdb_close\t\tCloses.",
                "class\tB\tCalls.", "call\tclose\trocksdb_close\t\tCloses."))
                .hasMessageContaining("rocksdb_close is called by A and again by B");
        assertThatThrownBy(() -> source("class\tA\tCalls.", "call\tclose\trocksdb_close"))
                .hasMessageContaining("cannot read the row");
        assertThatThrownBy(() -> source("class\tA\tCalls.", "call\tclose\trocksdb_clos\t\tCloses."))
                .hasMessageContaining("There is no C function rocksdb_clos");
        assertThatThrownBy(() -> source("class\tA\tCalls.", "call\tclose\trocksdb_close\tscratch\tCloses."))
                .hasMessageContaining("has no parameter errptr");
    }

    private String source(String... rows) throws IOException {
        Path table = Files.write(directory.resolve("calls.tsv"), List.of(rows));
        return new CallsSource(CallClass.readAll(table).getLast(), Tables.real()).text();
    }
}
