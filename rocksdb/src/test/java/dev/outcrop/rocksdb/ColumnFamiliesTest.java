package dev.outcrop.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.outcrop.rocksdb.capi.CApi;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A database with more column families than the default one is refused with their names, and left as it was. */
class ColumnFamiliesTest {
    @TempDir
    private Path directory;

    @BeforeEach
    void create() {
        RocksDB.open(directory, new Options().createIfMissing(true)).close();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = arena.allocate(ValueLayout.JAVA_LONG);
            long options = CApi.rocksdb_options_create();
            long db = CApi.rocksdb_open(options, arena.allocateFrom(directory.toString()), error.address());
            for (String name : new String[]{"users", "größen"}) {
                CApi.rocksdb_column_family_handle_destroy(
                        CApi.rocksdb_create_column_family(db, options, arena.allocateFrom(name), error.address()));
            }
            CApi.rocksdb_close(db);
            CApi.rocksdb_options_destroy(options);
            assertThat(error.get(ValueLayout.JAVA_LONG, 0)).isZero();
        }
    }

    @Test
    void isRefusedWithTheNames() {
        assertRefused(() -> RocksDB.open(directory).close());
        assertRefused(() -> RocksDB.open(directory, new Options().createIfMissing(true)).close());
        assertRefused(() -> RocksDB.openReadOnly(directory, new Options()).close());
    }

    private void assertRefused(ThrowingCallable opening) {
        Map<String, String> before = DirectoryImage.of(directory);

        RocksDBException thrown = catchThrowableOfType(RocksDBException.class, opening);

        assertThat(thrown).isNotNull().hasMessageContaining(directory.toString()).hasMessageContaining("users")
                .hasMessageContaining("größen");
        assertThat(thrown.status().code()).isEqualTo(Status.Code.NOT_SUPPORTED);
        assertThat(DirectoryImage.of(directory).equals(before)).as("nothing changed").isTrue();
    }
}
