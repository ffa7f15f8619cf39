package dev.outcrop.rocksdbjni;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.MutableColumnFamilyOptions;
import org.rocksdb.MutableDBOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/** A database opened for reading is not changed. */
class ReadOnlyTest extends DatabaseTest {
    private static final List<ColumnFamilyDescriptor> FAMILIES = List.of(new ColumnFamilyDescriptor(b("default")),
            new ColumnFamilyDescriptor(b("other")));

    enum Form {
        READ_ONLY,
        SECONDARY
    }

    @FunctionalInterface
    private interface Change {
        void make(RocksDB db, List<ColumnFamilyHandle> families) throws RocksDBException;
    }

    private static final Map<String, Change> CHANGES = Map.ofEntries(
            Map.entry("setOptions", (db, families) -> db.setOptions(smallBuffers())),
            Map.entry("setOptions of a family", (db, families) -> db.setOptions(families.getLast(), smallBuffers())),
            Map.entry("setDBOptions",
                    (db, families) -> db.setDBOptions(MutableDBOptions.builder().setMaxOpenFiles(100).build())),
            Map.entry("enableAutoCompaction", RocksDB::enableAutoCompaction),
            Map.entry("dropColumnFamily", (db, families) -> db.dropColumnFamily(families.getLast())),
            Map.entry("dropColumnFamilies", (db, families) -> db.dropColumnFamilies(List.of(families.getLast()))),
            Map.entry("createColumnFamily", (db, families) -> {
                try (ColumnFamilyHandle _ = db.createColumnFamily(new ColumnFamilyDescriptor(b("new")))) {
                    throw new AssertionError("It was created");
                }
            }),
            Map.entry("deleteFilesInRanges",
                    (db, families) -> db.deleteFilesInRanges(families.getFirst(), List.of(b("a"), b("z")), true)),
            Map.entry("compactRange", (db, families) -> db.compactRange()),
            Map.entry("compactRange of a family", (db, families) -> {
                try (CompactRangeOptions options = new CompactRangeOptions()) {
                    db.compactRange(families.getLast(), b("a"), b("z"), options);
                }
            }),
            Map.entry("flush", (db, families) -> {
                try (FlushOptions options = new FlushOptions()) {
                    db.flush(options, families);
                }
            }),
            Map.entry("put", (db, families) -> db.put(b("a"), b("2"))),
            Map.entry("deleteRange", (db, families) -> db.deleteRange(b("a"), b("z"))));

    @BeforeEach
    void make() throws RocksDBException {
        List<ColumnFamilyHandle> families = new ArrayList<>();
        try (DBOptions options = new DBOptions().setCreateIfMissing(true).setCreateMissingColumnFamilies(true);
                RocksDB db = RocksDB.open(options, path(), FAMILIES, families)) {
            for (ColumnFamilyHandle family : families) {
                db.put(family, b("a"), b("1"));
                db.put(family, b("m"), b("1"));
                db.compactRange(family);
            }
            // Files below the first level, which deleteFilesInRanges would delete.
            assertThat(db.getLiveFilesMetaData()).allMatch(file -> file.level() > 0).hasSize(2);
            db.put(b("in the log"), b("1"));
            families.forEach(ColumnFamilyHandle::close);
        }
    }

    @ParameterizedTest
    @EnumSource
    void nothingIsChanged(Form form) throws Exception {
        for (Map.Entry<String, Change> change : CHANGES.entrySet()) {
            Map<Path, String> before = files();
            List<ColumnFamilyHandle> families = new ArrayList<>();
            try (DBOptions options = new DBOptions(); RocksDB db = open(form, options, families)) {
                assertThatThrownBy(() -> change.getValue().make(db, families)).as(change.getKey())
                        .asInstanceOf(InstanceOfAssertFactories.type(RocksDBException.class))
                        .extracting(e -> e.getStatus().getCode()).isEqualTo(Status.Code.NotSupported);
                for (ColumnFamilyHandle family : families) {
                    assertThat(db.get(family, b("a"))).as(change.getKey()).isEqualTo(b("1"));
                }
                families.forEach(ColumnFamilyHandle::close);
            }
            assertThat(files()).as(change.getKey()).isEqualTo(before);
        }
    }

    private RocksDB open(Form form, DBOptions options, List<ColumnFamilyHandle> families) throws RocksDBException {
        return form == Form.READ_ONLY
                ? RocksDB.openReadOnly(options, path(), FAMILIES, families)
                : RocksDB.openAsSecondary(options, path(), path("secondary"), FAMILIES, families);
    }

    private static MutableColumnFamilyOptions smallBuffers() {
        return MutableColumnFamilyOptions.builder().setWriteBufferSize(1 << 20).build();
    }

    /** The existing files, without the log of events. */
    private Map<Path, String> files() throws IOException {
        Map<Path, String> found = new HashMap<>();
        try (Stream<Path> files = Files.list(directory.resolve("db"))) {
            for (Path file : (Iterable<Path>) files::iterator) {
                if (!file.getFileName().toString().startsWith("LOG")) {
                    found.put(file, Files.size(file) + " bytes of " + Files.getLastModifiedTime(file));
                }
            }
        }
        return found;
    }
}
