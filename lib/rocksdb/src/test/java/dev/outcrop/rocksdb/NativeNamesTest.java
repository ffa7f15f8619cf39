package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.OsPath;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Names and paths of any bytes reach RocksDB whole, or are refused. */
class NativeNamesTest extends DatabaseTest {
    private static final byte[] LATER = Bytes.of("later");
    /** As in the report of a program in C++, with a neighbour that differs in what is no text, and one that is the text. */
    private static final List<byte[]> NAMES = List.of(new byte[]{-1, 1}, new byte[]{-2, 1}, new byte[]{-1},
            Bytes.of("\\xff\\x01"),
            Bytes.of("?"), Bytes.of("\ufffd"), new byte[]{(byte) 0xc3}, new byte[]{(byte) 0xc3, (byte) 0xa9},
            new byte[]{'a', (byte) 0xed, (byte) 0xa0, (byte) 0x80, 'b'},
            new byte[]{(byte) 0xf0, (byte) 0x9f, (byte) 0x98},
            Bytes.of("\ud83d\ude00"), new byte[]{(byte) 0x80, ':', '#', '\n'});

    private static Options creating() {
        return new Options().createIfMissing(true).createMissingColumnFamilies(true);
    }

    private static void check(RocksDB db) {
        assertThat(db.columnFamilies()).hasSize(NAMES.size() + 1);
        for (byte[] name : NAMES) {
            ColumnFamily family = db.columnFamily(ColumnFamily.nameOf(name));
            assertThat(ColumnFamily.bytesOf(family.name())).isEqualTo(name);
            assertThat(family.get(KEY)).isEqualTo(name);
        }
    }

    private Path createDatabase() {
        Path path = directory.resolve("database");
        try (RocksDB db = RocksDB.open(path, creating())) {
            for (byte[] name : NAMES) {
                Options options = new Options().set("merge_operator={id=StringAppendOperator;delimiter={;}}");
                db.createColumnFamily(ColumnFamily.nameOf(name), options).merge(KEY, name);
            }
            check(db);
        }
        return path;
    }

    @Test
    void namesThatAreNoTextAreNames() {
        Path path = createDatabase();

        assertThat(RocksDB.listColumnFamilies(path).stream()
                .map(name -> new String(ColumnFamily.bytesOf(name), StandardCharsets.ISO_8859_1)))
                .containsAll(NAMES.stream().map(name -> new String(name, StandardCharsets.ISO_8859_1)).toList());
        RocksDB db = closeLater(RocksDB.open(path));
        check(db);
        ColumnFamily family = db.columnFamily(ColumnFamily.nameOf(NAMES.getFirst()));
        family.flush();
        assertThat(db.liveFiles()).extracting(LiveFile::columnFamily).contains(family.name());
        assertThat(family.metadata().fileCount()).isEqualTo(1);
        assertThat(family).asString().contains("\\xff\\x01");
        db.dropColumnFamily(family);
        assertThat(RocksDB.listColumnFamilies(path)).hasSize(NAMES.size()).contains(ColumnFamily.nameOf(NAMES.get(1)));
    }

    @Test
    @Tag("verify")
    void theyAreNamesForEachWayToOpen() {
        Path path = createDatabase();
        List<RocksDB> databases = List.of(RocksDB.openReadOnly(path),
                RocksDB.openSecondary(path, directory.resolve("secondary")));
        databases.forEach(db -> {
            check(db);
            db.close();
        });
        try (RocksDB db = OptimisticTransactionDB.open(path)) {
            check(db);
        }
        try (RocksDB db = TransactionDB.open(path)) {
            check(db);
        }
        LoadedOptions loaded = LoadedOptions.latest(path);
        assertThat(loaded.columnFamilies()).hasSize(NAMES.size() + 1);
        try (RocksDB db = RocksDB.open(path, loaded.database(), loaded.columnFamilies())) {
            check(db);
        }
        Path timed = directory.resolve("timed");
        String name = ColumnFamily.nameOf(NAMES.getFirst());
        try (RocksDB db = RocksDB.openWithTtl(timed, creating(), Duration.ofDays(1), Map.of(name, new Options()),
                Map.of(name, Duration.ofDays(2)))) {
            db.columnFamily(name).put(KEY, KEY);
        }
        RocksDB db = closeLater(RocksDB.openWithTtl(timed, Duration.ofDays(1)));
        assertThat(db.columnFamily(name).get(KEY)).isEqualTo(KEY);
    }

    @Test
    @Tag("verify")
    void aSecondaryInstanceFollowsThem() {
        Path path = createDatabase();
        RocksDB primary = closeLater(RocksDB.open(path));
        primary.columnFamilies().forEach(ColumnFamily::flush);
        RocksDB secondary = closeLater(RocksDB.openSecondary(path, directory.resolve("secondary")));
        check(secondary);
        ColumnFamily family = primary.columnFamily(ColumnFamily.nameOf(NAMES.getFirst()));
        family.put(LATER, KEY);
        family.flush();
        secondary.tryCatchUpWithPrimary();
        assertThat(secondary.columnFamily(family.name()).get(LATER)).isEqualTo(KEY);
        primary.dropColumnFamily(family);
        assertThatThrownBy(secondary::tryCatchUpWithPrimary)
                .hasMessageContaining("dropped the column family \"\\xff\\x01\"");
    }

    @Test
    @Tag("verify")
    void theyComeWithEventsAndExports() {
        String name = ColumnFamily.nameOf(NAMES.getFirst());
        List<String> flushed = new ArrayList<>();
        try (RocksDB db = RocksDB.open(directory.resolve("database"), creating().addEventListener(new EventListener() {
            @Override
            public void onFlushCompleted(FlushJobInfo info) {
                flushed.add(info.columnFamilyName());
            }
        }))) {
            ColumnFamily family = db.createColumnFamily(name, new Options());
            family.put(KEY, KEY);
            ExportedColumnFamily exported = family.export(directory.resolve("exported"));
            String other = ColumnFamily.nameOf(NAMES.get(1));
            ColumnFamily imported = db.createColumnFamilyWithImport(other, new Options(),
                    new ImportColumnFamilyOptions(),
                    new ExportedColumnFamily(exported.comparator(), exported.files()));
            assertThat(imported.get(KEY)).isEqualTo(KEY);
        }
        assertThat(flushed).contains(name);
    }

    @Test
    void aNameWithANulOrHalfACharacterIsRefused() {
        Path path = directory.resolve("database");
        try (RocksDB db = RocksDB.open(path, creating())) {
            db.createColumnFamily("idx", new Options());
            ExportedColumnFamily exported = db.defaultColumnFamily().export(directory.resolve("exported"));
            for (String name : List.of("idx\0A", "\0", "\0\0\0\1", "idx\0", "\ud800", "a\udc00", "\udcc3\udca9",
                    "\udc41")) {
                List<Consumer<String>> calls = List.of(each -> db.createColumnFamily(each, new Options()),
                        each -> db.createColumnFamilies(List.of("other", each), new Options()),
                        each -> db.createColumnFamilyWithTtl(each, new Options(), Duration.ZERO),
                        each -> db.createColumnFamilyWithImport(each, new Options(), new ImportColumnFamilyOptions(),
                                exported),
                        each -> RocksDB.open(directory.resolve("new"), creating(), Map.of(each, new Options()))
                                .close());
                for (Consumer<String> call : calls) {
                    assertThatIllegalArgumentException().as(name).isThrownBy(() -> call.accept(name));
                }
                assertThat(db.findColumnFamily(name)).isNull();
            }
            assertThat(RocksDB.listColumnFamilies(path)).isEqualTo(Set.of("default", "idx"));
        }
        assertThat(directory.resolve("new")).doesNotExist();
    }

    /** Only programs in C++ can give it such a name. */
    private static void replaceInManifest(Path path, String name, String by) throws IOException {
        Path manifest = DirectoryImage.file(path, "MANIFEST-.*");
        byte[] content = Files.readAllBytes(manifest);
        String text = new String(content, StandardCharsets.ISO_8859_1);
        byte[] changed = text.replace(name, by).getBytes(StandardCharsets.ISO_8859_1);
        assertThat(changed).hasSameSizeAs(content).isNotEqualTo(content);
        ByteBuffer buffer = ByteBuffer.wrap(changed).order(ByteOrder.LITTLE_ENDIAN);
        for (int at = 0; at + 7 <= changed.length;) {
            int length = buffer.getShort(at + 4) & 0xffff;
            CRC32C checksum = new CRC32C();
            checksum.update(changed, at + 6, length + 1);
            buffer.putInt(at, Integer.rotateRight((int) checksum.getValue(), 15) + 0xa282ead8);
            at += 7 + length;
        }
        Files.write(manifest, changed);
    }

    @Test
    void aNameWithANulThatAnotherProgramHasGivenIsReported() throws IOException {
        Path path = directory.resolve("database");
        RocksDB.open(path, creating(), Map.of("idx+A", new Options(), "idx+B", new Options())).close();
        replaceInManifest(path, "idx+A", "idx\0A");
        replaceInManifest(path, "idx+B", "idx\0B");
        Path options = DirectoryImage.file(path, "OPTIONS-.*");
        Files.writeString(options, Files.readString(options).replace("idx+", "idx\0"));
        for (int i = 0; i < 2; i++) {
            Map<String, String> before = DirectoryImage.of(path);
            List<Runnable> calls = List.of(() -> RocksDB.open(path), () -> RocksDB.open(path, creating()),
                    () -> RocksDB.openReadOnly(path),
                    () -> RocksDB.openReadOnly(path, new Options()), () -> TransactionDB.open(path),
                    () -> RocksDB.listColumnFamilies(path));
            for (Runnable call : calls) {
                RocksDBException thrown = catchThrowableOfType(RocksDBException.class, call::run);
                assertThat(thrown).isNotNull().hasMessageContainingAll("idx", "zero byte", "org.rocksdb");
            }
            assertThat(DirectoryImage.of(path)).isEqualTo(before);
            Files.deleteIfExists(options);
        }
    }

    /** A path that ends with a byte that is no text. */
    private Path odd(String name) {
        return Path.of(URI.create(directory.toUri() + name + "%FF%C3"));
    }

    @Test
    void pathsThatAreNoTextArePaths() throws IOException {
        Path path = odd("database");
        Path files = odd("files");
        try (RocksDB db = RocksDB.open(odd("spread"), creating().dbPaths(List.of(new DbPath(files, 1 << 30))))) {
            db.put(KEY, KEY);
            db.flush();
            assertThat(db.liveFiles()).allSatisfy(file -> assertThat(file.path()).exists().hasParent(files));
        }
        try (RocksDB db = RocksDB.open(path, creating().walDir(OsPath.text(odd("logs"))))) {
            db.put(KEY, KEY);
            assertThat(odd("logs")).isNotEmptyDirectory();
        }
        LoadedOptions loaded = LoadedOptions.latest(path);
        try (RocksDB db = RocksDB.open(path, loaded.database(), loaded.columnFamilies())) {
            db.flush();
            db.checkpoint(odd("checkpoint"));
            try (BackupEngine backups = BackupEngine.open(new BackupEngineOptions(odd("backups")))) {
                assertThat(new BackupEngineOptions(odd("backups")).backupDir()).isEqualTo(odd("backups"));
                backups.create(db);
                backups.restoreLatest(odd("restored"), new RestoreOptions());
            }
        }
        Path table = odd("table");
        try (SstFileWriter writer = new SstFileWriter(table, new Options())) {
            writer.put(Bytes.of("ingested"), KEY);
            writer.finish();
        }
        for (Path copy : List.of(odd("checkpoint"), odd("restored"))) {
            try (RocksDB db = RocksDB.open(copy, new Options())) {
                assertThat(db.get(KEY)).isEqualTo(KEY);
                db.ingest(List.of(table));
                assertThat(db.get(Bytes.of("ingested"))).isEqualTo(KEY);
            }
            assertThat(RocksDB.listColumnFamilies(copy)).containsExactly("default");
            RocksDB.openReadOnly(copy, new Options()).close();
        }
        try (Stream<Path> made = Files.list(directory)) {
            assertThat(made).containsExactlyInAnyOrder(path, odd("spread"), files, odd("logs"), odd("checkpoint"),
                    odd("backups"), odd("restored"), table);
        }
    }

    @Test
    void theMetadataOfABackupIsKeptWhole() {
        String metadata = "a\0b\n\udcff é \ud83d\ude00";
        RocksDB db = closeLater(RocksDB.open(directory.resolve("database"), creating()));
        BackupEngine backups = closeLater(BackupEngine.open(new BackupEngineOptions(directory.resolve("backups"))));
        backups.create(db, new CreateBackupOptions(), metadata);
        assertThat(backups.infos().getFirst().metadata()).isEqualTo(metadata);
    }
}
