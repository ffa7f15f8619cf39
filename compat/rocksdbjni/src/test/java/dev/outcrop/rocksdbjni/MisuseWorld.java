package dev.outcrop.rocksdbjni;

import dev.outcrop.testsupport.misuse.MisuseObjects;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BackupEngine;
import org.rocksdb.BackupEngineOptions;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.Env;
import org.rocksdb.EnvOptions;
import org.rocksdb.OptimisticTransactionDB;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileWriter;
import org.rocksdb.StringAppendOperator;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.TtlDB;

/** A few small databases of every kind, with some data, and files. What was closed is opened again. Thread-safe. */
final class MisuseWorld {
    private static final int KINDS = 7;
    private static final int BACKUPS = 4;
    private static final int TABLES = 4;

    private final Path directory;
    private final MisuseObjects objects;
    private final AtomicInteger names = new AtomicInteger();
    private final @Nullable RocksDB[] current = new RocksDB[KINDS];
    private final Path[] paths = new Path[KINDS];
    private final List<AutoCloseable> options = new ArrayList<>();

    MisuseWorld(Path directory, MisuseObjects objects) {
        this.directory = directory;
        this.objects = objects;
    }

    static byte[] key(int i) {
        return ("key" + i).getBytes(StandardCharsets.UTF_8);
    }

    void openAll(Random random) throws RocksDBException, IOException {
        for (int i = 0; i < KINDS; i++) {
            open(i, random);
        }
        for (int i = 0; i < BACKUPS; i++) {
            Files.createDirectories(directory.resolve("backups" + i));
        }
    }

    /** Opens one that was closed. */
    synchronized void openAgain(Random random) throws IOException {
        int kind = random.nextInt(KINDS);
        RocksDB database = current[kind];
        try {
            if (database == null || database.isClosed() || random.nextInt(20) == 0) {
                if (database != null) {
                    database.close();
                }
                open(kind, random);
            } else {
                objects.show(database, random);
                objects.show(database.getDefaultColumnFamily(), random);
                fill(database);
                writeTable(random);
            }
            if (random.nextInt(20) == 0) {
                backUp(random);
            }
        } catch (RocksDBException | IllegalStateException e) {
            // Somebody has closed it, or has taken away its files, or has it open.
        }
    }

    private void open(int kind, Random random) throws RocksDBException, IOException {
        Path path = directory.resolve("db" + kind + "-" + names.getAndIncrement() % 3);
        paths[kind] = path;
        String text = path.toString();
        List<ColumnFamilyHandle> handles = new ArrayList<>();
        RocksDB database = switch (kind) {
            case 0 -> RocksDB.open(databaseOptions(), text, families(), handles);
            case 1 -> TransactionDB.open(databaseOptions(), lockingOptions(), text, families(), handles);
            case 2 -> OptimisticTransactionDB.open(databaseOptions(), text, families(), handles);
            case 3 -> TtlDB.open(options(), text, 100_000, false);
            case 4 -> RocksDB.openReadOnly(databaseOptions(), created(text), families(), handles);
            case 5 -> RocksDB.openAsSecondary(databaseOptions().setMaxOpenFiles(-1), created(text), text + "-own",
                    families(), handles);
            default -> RocksDB.open(options(), text);
        };
        current[kind] = database;
        objects.add(database, 0, random);
        handles.forEach(handle -> objects.add(handle, 0, random));
        objects.show(database.getDefaultColumnFamily(), random);
        fill(database);
    }

    private String created(String path) throws RocksDBException {
        List<ColumnFamilyHandle> handles = new ArrayList<>();
        try (RocksDB database = RocksDB.open(databaseOptions(), path, families(), handles)) {
            fill(database);
        }
        return path;
    }

    private static void fill(RocksDB database) {
        try {
            for (int i = 0; i < 20; i++) {
                database.put(key(i), key(i));
            }
        } catch (RocksDBException e) {
            // It is for reading.
        }
    }

    private void backUp(Random random) throws RocksDBException {
        RocksDB database = current[random.nextInt(KINDS)];
        try (BackupEngineOptions of = new BackupEngineOptions(backups(random));
                BackupEngine engine = BackupEngine.open(Env.getDefault(), of)) {
            if (database != null) {
                engine.createNewBackup(database, true);
            }
        }
    }

    private void writeTable(Random random) throws RocksDBException {
        try (EnvOptions env = new EnvOptions();
                Options plain = new Options();
                SstFileWriter writer = new SstFileWriter(env, plain)) {
            writer.open(table(random));
            for (int i = 0; i < 10; i++) {
                writer.put(key(i), key(i));
            }
            writer.finish();
        }
    }

    /** Ordinary options: those that the run itself changes would make it wait, or take all memory. They are closed with the databases. */
    Options options() {
        Options made = new Options().setCreateIfMissing(true).setAllowFAllocate(false)
                .setCreateMissingColumnFamilies(true)
                .setMergeOperator(append()).setWriteBufferSize(256 << 10).setMaxOpenFiles(100).setKeepLogFileNum(2)
                .setMaxTotalWalSize(1 << 20);
        return toBeClosed(made);
    }

    DBOptions databaseOptions() {
        return toBeClosed(
                new DBOptions().setCreateIfMissing(true).setAllowFAllocate(false).setCreateMissingColumnFamilies(true)
                        .setMaxOpenFiles(100).setKeepLogFileNum(2).setMaxTotalWalSize(1 << 20));
    }

    ColumnFamilyOptions familyOptions() {
        return toBeClosed(new ColumnFamilyOptions().setMergeOperator(append()).setWriteBufferSize(256 << 10));
    }

    TransactionDBOptions lockingOptions() {
        return toBeClosed(new TransactionDBOptions().setDefaultLockTimeout(1).setTransactionLockTimeout(1));
    }

    private StringAppendOperator append() {
        return toBeClosed(new StringAppendOperator());
    }

    List<ColumnFamilyDescriptor> families() {
        List<ColumnFamilyDescriptor> families = new ArrayList<>();
        for (String name : List.of("default", "one", "two")) {
            families.add(new ColumnFamilyDescriptor(name.getBytes(StandardCharsets.UTF_8), familyOptions()));
        }
        return families;
    }

    private synchronized <T extends AutoCloseable> T toBeClosed(T made) {
        options.add(made);
        return made;
    }

    /** Of a database, open or not. */
    String path(Random random) {
        return paths[random.nextInt(KINDS)].toString();
    }

    /** A path at which nothing exists yet. */
    String fresh() {
        return directory.resolve("fresh" + names.getAndIncrement()).toString();
    }

    String backups(Random random) {
        return directory.resolve("backups" + random.nextInt(BACKUPS)).toString();
    }

    String table(Random random) {
        return directory.resolve("table" + random.nextInt(TABLES) + ".sst").toString();
    }

    /** Families of a database: its own, mostly. */
    @Nullable
    ColumnFamilyHandle family(@Nullable Object target, Random random) {
        try {
            if (target instanceof RocksDB database && random.nextInt(3) > 0) {
                return database.getDefaultColumnFamily();
            }
        } catch (IllegalStateException | AssertionError e) {
            // It is closed; where assertions are on, one fails.
        }
        return (ColumnFamilyHandle) objects.any(ColumnFamilyHandle.class, random);
    }

    synchronized void closeAll() throws Exception {
        for (RocksDB database : current) {
            if (database != null) {
                database.close();
            }
        }
        for (AutoCloseable each : options) {
            each.close();
        }
    }
}
