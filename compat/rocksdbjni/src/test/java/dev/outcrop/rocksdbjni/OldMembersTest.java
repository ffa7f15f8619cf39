package dev.outcrop.rocksdbjni;

import static java.lang.invoke.MethodType.methodType;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.Env;
import org.rocksdb.FlushOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.Logger;
import org.rocksdb.NativeLibraryLoader;
import org.rocksdb.Options;
import org.rocksdb.OptionsUtil;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksObject;

/** Members that RocksDB 11 removed work, or do nothing, for programs that were compiled with an older version. Compilers do not see them. */
class OldMembersTest {
    private static final Lookup LOOKUP = MethodHandles.lookup();

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(classes = {Options.class, ColumnFamilyOptions.class})
    void aNumberOfMemtablesToKeepIsNotKept(Class<?> type) throws Throwable {
        MethodHandle set = LOOKUP.findVirtual(type, "setMaxWriteBufferNumberToMaintain", methodType(type, int.class));
        MethodHandle get = LOOKUP.findVirtual(type, "maxWriteBufferNumberToMaintain", methodType(int.class));
        RocksObject options = (RocksObject) type.getConstructor().newInstance();
        try (options) {
            assertThat(set.invoke(options, 5)).isSameAs(options);
            assertThat(get.invoke(options)).isEqualTo(0);
        }
        assertThatThrownBy(() -> set.invoke(options, 5)).isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> get.invoke(options)).isInstanceOf(AssertionError.class);
    }

    @ParameterizedTest
    @ValueSource(classes = {Options.class, DBOptions.class})
    void sizesOfFilesAreAlwaysChecked(Class<?> type) throws Throwable {
        MethodHandle set = LOOKUP.findVirtual(type, "setSkipCheckingSstFileSizesOnDbOpen",
                methodType(type, boolean.class));
        MethodHandle get = LOOKUP.findVirtual(type, "skipCheckingSstFileSizesOnDbOpen", methodType(boolean.class));
        RocksObject options = (RocksObject) type.getConstructor().newInstance();
        try (options) {
            assertThat(set.invoke(options, true)).isSameAs(options);
            assertThat(get.invoke(options)).isEqualTo(false);
        }
        assertThatThrownBy(() -> set.invoke(options, true)).isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> get.invoke(options)).isInstanceOf(AssertionError.class);
    }

    @Test
    void aLoggerGetsTheMessages() throws Throwable {
        MethodHandle set = LOOKUP.findVirtual(Options.class, "setLogger", methodType(Options.class, Logger.class));
        ConcurrentLinkedQueue<String> messages = new ConcurrentLinkedQueue<>();
        try (Options options = new Options().setCreateIfMissing(true);
                Logger logger = new Logger(InfoLogLevel.INFO_LEVEL) {
                    @Override
                    protected void log(InfoLogLevel logLevel, String logMessage) {
                        messages.add(logMessage);
                    }
                }) {
            assertThat(set.invoke(options, logger)).isSameAs(options);
            RocksDB.open(options, directory.toString()).close();
        }
        assertThat(messages).isNotEmpty();
        try (DBOptions options = new DBOptions()) {
            MethodHandle other = LOOKUP.findVirtual(DBOptions.class, "setLogger",
                    methodType(DBOptions.class, Logger.class));
            assertThatThrownBy(() -> other.invoke(options, null)).isInstanceOf(NullPointerException.class);
        }
    }

    @Test
    void noFileIsDeletedByItsName() throws Throwable {
        MethodHandle delete = LOOKUP.findVirtual(RocksDB.class, "deleteFile", methodType(void.class, String.class));
        RocksDB db = RocksDB.open(directory.toString());
        db.put("key".getBytes(UTF_8), "value".getBytes(UTF_8));
        try (FlushOptions flush = new FlushOptions()) {
            db.flush(flush);
        }
        String file = db.getLiveFilesMetaData().getFirst().fileName();
        delete.invoke(db, file);
        assertThat(directory.resolve(file.substring(1))).exists();
        assertThat(db.get("key".getBytes(UTF_8))).isEqualTo("value".getBytes(UTF_8));
        assertThatThrownBy(() -> delete.invoke(db, null)).isInstanceOf(NullPointerException.class);
        db.close();
        assertThatThrownBy(() -> delete.invoke(db, file)).isInstanceOf(AssertionError.class);
    }

    @Test
    void optionsAreReadFromAFile() throws Throwable {
        MethodHandle load = LOOKUP.findStatic(OptionsUtil.class, "loadOptionsFromFile",
                methodType(void.class, String.class, Env.class, DBOptions.class, List.class, boolean.class));
        try (DBOptions options = new DBOptions().setCreateIfMissing(true).setCreateMissingColumnFamilies(true)
                .setMaxOpenFiles(77);
                ColumnFamilyOptions family = new ColumnFamilyOptions().setWriteBufferSize(1 << 20)) {
            List<ColumnFamilyHandle> handles = new ArrayList<>();
            RocksDB.open(options, directory.toString(),
                    List.of(new ColumnFamilyDescriptor("default".getBytes(UTF_8), family),
                            new ColumnFamilyDescriptor("other".getBytes(UTF_8), family)),
                    handles).close();
        }
        String file;
        try (Stream<Path> files = Files.list(directory)) {
            file = files.map(Path::toString).filter(each -> each.contains("OPTIONS")).findFirst().orElseThrow();
        }
        List<ColumnFamilyDescriptor> families = new ArrayList<>();
        try (DBOptions options = new DBOptions()) {
            load.invoke(file, Env.getDefault(), options, families, false);
            assertThat(options.maxOpenFiles()).isEqualTo(77);
            assertThat(families).extracting(each -> each.getOptions().writeBufferSize()).containsExactly(1L << 20,
                    1L << 20);
        }
        families.forEach(each -> each.getOptions().close());

        Path unknown = directory.resolve("unknown");
        Files.writeString(unknown, Files.readString(Path.of(file)).replace("  max_open_files=77\n",
                "  max_open_files=77\n  of_another_version=1\n")
                .replaceFirst("rocksdb_version=\\d+", "rocksdb_version=99"));
        try (DBOptions options = new DBOptions()) {
            assertThatThrownBy(
                    () -> load.invoke(unknown.toString(), Env.getDefault(), options, new ArrayList<>(), false))
                    .isInstanceOf(RocksDBException.class);
            load.invoke(unknown.toString(), Env.getDefault(), options, families, true);
            assertThat(options.maxOpenFiles()).isEqualTo(77);
        }
        families.forEach(each -> each.getOptions().close());
    }

    /** Flink does so before it tries to load the library once more. */
    @Test
    void theLibraryIsLoadedAgain() throws Exception {
        Field initialized = NativeLibraryLoader.class.getDeclaredField("initialized");
        initialized.setAccessible(true);
        NativeLibraryLoader.getInstance().loadLibrary(directory.toString());
        assertThat(initialized.getBoolean(null)).isTrue();
        initialized.setBoolean(null, false);
        NativeLibraryLoader.getInstance().loadLibrary(directory.toString());
        assertThat(initialized.getBoolean(null)).isTrue();
    }
}
