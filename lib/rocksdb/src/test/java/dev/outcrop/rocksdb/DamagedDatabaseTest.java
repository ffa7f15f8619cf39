package dev.outcrop.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Opening a damaged database fails with the reason and the path, and changes none of its files. */
class DamagedDatabaseTest {
    @TempDir
    private Path temporary;
    private Path directory = Path.of("");

    /** A kind of damage to the files of a database. */
    @SuppressWarnings("ImmutableEnumChecker") // lambdas without state
    enum Damage {
        MANIFEST_CHANGED(Status.Code.CORRUPTION, db -> DirectoryImage.flip(DirectoryImage.file(db, "MANIFEST-.*"), 30)),
        MANIFEST_CUT(
                Status.Code.CORRUPTION,
                db -> DirectoryImage.cut(DirectoryImage.file(db, "MANIFEST-.*"), 150)),
        MANIFEST_EMPTY(
                Status.Code.CORRUPTION,
                db -> write(DirectoryImage.file(db, "MANIFEST-.*"), "")),
        MANIFEST_MISSING(
                Status.Code.IO_ERROR,
                db -> delete(DirectoryImage.file(db, "MANIFEST-.*"))),
        CURRENT_GARBAGE(
                Status.Code.CORRUPTION,
                db -> write(db.resolve("CURRENT"), "rubbish")),
        CURRENT_NAMES_NO_MANIFEST(
                Status.Code.CORRUPTION,
                db -> write(db.resolve("CURRENT"), "rubbish\n")),
        CURRENT_EMPTY(
                Status.Code.CORRUPTION,
                db -> write(db.resolve("CURRENT"), "")),
        CURRENT_MISSING(
                Status.Code.CORRUPTION,
                db -> delete(db.resolve(
                        "CURRENT"))),
        TABLE_FILE_MISSING(
                Status.Code.CORRUPTION,
                db -> delete(DirectoryImage.file(db, ".*sst"))),
        TABLE_FILE_CUT(
                Status.Code.CORRUPTION,
                db -> DirectoryImage.cut(DirectoryImage.file(db, ".*sst"), 100)),
        TABLE_FILE_IS_ANOTHER(
                Status.Code.CORRUPTION,
                db -> {
                    Path file = DirectoryImage.file(db, ".*sst");
                    write(file, "x".repeat((int) file.toFile().length()));
                });

        private final Status.Code code;
        private final Consumer<Path> damage;

        Damage(Status.Code code, Consumer<Path> damage) {
            this.code = code;
            this.damage = damage;
        }
    }

    private static void write(Path file, String content) {
        try {
            Files.writeString(file, content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Options options() {
        return new Options().createIfMissing(true);
    }

    @BeforeEach
    void create() {
        directory = temporary.resolve("db");
        try (RocksDB db = RocksDB.open(directory, options())) {
            for (int i = 0; i < 100; i++) {
                db.put(Bytes.of("key" + i), Bytes.random(i, 1000));
            }
            db.flush();
            db.put(Bytes.of("in the log"), Bytes.of("value"));
        }
        RocksDB.open(directory).close();
    }

    @ParameterizedTest
    @EnumSource
    void cannotBeOpenedForWriting(Damage damage) {
        damage.damage.accept(directory);
        Map<String, String> before = DirectoryImage.of(directory);

        for (int i = 0; i < 2; i++) {
            RocksDBException thrown = catchThrowableOfType(RocksDBException.class,
                    () -> RocksDB.open(directory, options()).close());
            assertThat(thrown).isNotNull().hasMessageContaining(directory.toString());
            assertThat(thrown.status().code()).as(thrown.getMessage()).isEqualTo(damage.code);
            assertUnchanged(before);
        }
    }

    @ParameterizedTest
    @EnumSource
    void cannotBeOpenedForReading(Damage damage) {
        damage.damage.accept(directory);
        Map<String, String> before = DirectoryImage.of(directory);

        RocksDBException thrown = catchThrowableOfType(RocksDBException.class,
                () -> RocksDB.openReadOnly(directory, options()).close());

        assertThat(thrown).isNotNull().hasMessageContaining(directory.toString());
        assertUnchanged(before);
    }

    private void assertUnchanged(Map<String, String> before) {
        Map<String, String> after = DirectoryImage.of(directory);
        assertThat(after.keySet()).isEqualTo(before.keySet());
        assertThat(after.equals(before)).as("no file changed").isTrue();
    }
}
