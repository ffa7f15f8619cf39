package dev.outcrop.rocksdb;

import dev.outcrop.memory.Upcall;
import dev.outcrop.rocksdb.engine.callbacks.OpenDatabases;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A database with one callback, another one without any, a directory for backups, and what calls are made with. */
final class NestedWorld {
    static final byte[] KEY = Bytes.of("r5");
    static final byte[] MERGED = Bytes.of("m");
    static final byte[] VALUE = Bytes.of("value");
    static final byte[] FAILING = Bytes.of("~");
    /** More than the memtable holds. */
    static final byte[] LARGE = new byte[200_000];
    private static final int KEYS = 10;
    private static final int PATIENCE_MILLIS = 12_000;
    private static final int MANY = 128;
    private static final int MOST_FILES = 8;

    /** The actions of the database. */
    enum Variant {
        PLAIN,
        PESSIMISTIC,
        OPTIMISTIC
    }

    final NestedKind kind;
    final Variant variant;
    final Path directory;
    private final Deque<AutoCloseable> later = new ConcurrentLinkedDeque<>();
    private final AtomicInteger reached = new AtomicInteger();
    private final AtomicInteger countdown = new AtomicInteger();
    private volatile @Nullable Runnable armed;
    private final List<Thread> closing = new ArrayList<>();
    private int names;
    private boolean isQuick;
    private @Nullable Path made;
    private @Nullable RocksDB current;
    private @Nullable ColumnFamily currentOther;
    private final RocksDB elsewhere;
    final BackupEngine engine;
    private Path path;

    NestedWorld(NestedKind kind, Variant variant, Path directory) {
        this.kind = kind;
        this.variant = variant;
        this.directory = directory;
        path = newPath();
        this.elsewhere = RocksDB.open(newPath(), new Options().createIfMissing(true));
        elsewhere.put(KEY, VALUE);
        this.engine = BackupEngine.open(new BackupEngineOptions(newPath())
                .shareFilesWithChecksumNaming(BackupFileNaming.LEGACY_CRC32C_AND_FILE_SIZE).schemaVersion(2)
                .callbackTriggerIntervalSize(1));
        engine.create(elsewhere);
    }

    /** The callback was called. */
    private void reached() {
        reached.incrementAndGet();
        Runnable inner = armed;
        // Java calls comparators too, from where everything can be done.
        if (inner != null && countdown.get() > 0 && Upcall.isRunning() && countdown.decrementAndGet() == 0) {
            inner.run();
        }
    }

    /** Has something done in a later call of the callback, from 1 on. */
    void arm(int call, Runnable inner) {
        reached.set(0);
        countdown.set(call);
        armed = inner;
    }

    /** How many calls there have been since. */
    int disarm() {
        armed = null;
        return reached.get();
    }

    RocksDB db() {
        RocksDB db = current;
        if (db == null) {
            db = open(path);
            current = db;
            ColumnFamily family = db.findColumnFamily("other");
            currentOther = family == null ? db.createColumnFamily("other", options().maxSuccessiveMerges(1)) : family;
            fill();
            db.flush();
            fill();
        }
        return db;
    }

    RocksDB open(Path at) {
        Map<String, Options> families = Map.of("other", options().maxSuccessiveMerges(1));
        return switch (variant) {
            case PLAIN -> RocksDB.open(at, options(), families);
            case PESSIMISTIC -> TransactionDB.open(at, options(), new TransactionDBOptions(), families);
            case OPTIMISTIC -> OptimisticTransactionDB.open(at, options(), families);
        };
    }

    Options options() {
        Options options = new Options().createIfMissing(true).createMissingColumnFamilies(true)
                .disableAutoCompactions(true).writeBufferSize(100_000)
                .level0StopWritesTrigger(50).statsDumpPeriodSec(Duration.ZERO)
                .statsPersistPeriodSec(Duration.ZERO);
        if (kind == NestedKind.ON_STALL_CONDITIONS_CHANGED) {
            options.disableAutoCompactions(false).level0FileNumCompactionTrigger(2).level0SlowdownWritesTrigger(2);
        } else if (kind == NestedKind.ON_BACKGROUND_ERROR) {
            // Threads that others can use while one sleeps.
            options.mergeOperator(failing()).maxBackgroundJobs(MANY);
        }
        if (kind != NestedKind.ON_BACKGROUND_ERROR && !kind.hasTimestamps()) {
            options.mergeOperator(MergeOperator.STRING_APPEND);
        }
        return kind.in(options, this::reached);
    }

    /** Makes a flush fail where it meets one key. */
    private static MergeFunction failing() {
        return NamedCallbacks.merge("nested.failing", (key, existing, operands, result) -> {
            if (key.byteSize() == FAILING.length) {
                if (key.get(ValueLayout.JAVA_BYTE, 0) == FAILING[0]) {
                    // No exception, which would be logged.
                    return;
                }
            }
            result.write(Objects.requireNonNullElse(existing, operands.getFirst()));
        });
    }

    ColumnFamily other() {
        RocksDB _ = db();
        return Objects.requireNonNull(currentOther);
    }

    RocksDB elsewhere() {
        return elsewhere;
    }

    KeyValueWriter writer() {
        return kind.hasTimestamps() ? db().at(1) : db();
    }

    KeyValueWriter otherWriter() {
        return kind.hasTimestamps() ? other().at(1) : other();
    }

    KeyValueReader reader() {
        return db().with(readOptions());
    }

    KeyValueReader otherReader() {
        return other().with(readOptions());
    }

    ReadOptions readOptions() {
        ReadOptions options = new ReadOptions();
        if (kind.hasTimestamps()) {
            options.timestamp(Long.MAX_VALUE);
        }
        if (kind == NestedKind.TABLE_FILTER) {
            options.tableFilter(_ -> {
                reached();
                return true;
            });
        }
        return options;
    }

    CreateBackupOptions backupOptions() {
        CreateBackupOptions options = new CreateBackupOptions().flushBeforeBackup(true);
        if (kind == NestedKind.BACKUP_PROGRESS) {
            options.progressCallback(this::reached);
        } else if (kind == NestedKind.BACKUP_EXCLUSION) {
            options.excludeFilesCallback(_ -> {
                reached();
                return false;
            });
        }
        return options;
    }

    /** Has the next calls prepared such that they have little to do. */
    void quick(boolean quick) {
        isQuick = quick;
    }

    boolean isQuick() {
        return isQuick;
    }

    /** A column family to be dropped. */
    ColumnFamily spare() {
        ColumnFamily family = db().findColumnFamily("spare");
        return family == null ? db().createColumnFamily("spare", options()) : family;
    }

    /** A file that is made once. */
    Path file(Function<NestedWorld, Path> make) {
        Path file = made;
        if (file == null) {
            file = make.apply(this);
            made = file;
        }
        return file;
    }

    /** Something for a flush and a compaction to do. */
    void fill() {
        fill(writer());
        fill(otherWriter());
    }

    private void fill(KeyValueWriter writer) {
        for (int i = 0; i < KEYS; i++) {
            writer.put(Bytes.of("r" + i), VALUE);
        }
        merge(writer);
    }

    /** Values that are not merged yet. */
    void merge(KeyValueWriter writer) {
        if (!kind.hasTimestamps()) {
            writer.put(MERGED, VALUE);
            writer.merge(MERGED, VALUE);
            writer.merge(MERGED, VALUE);
            writer.merge(Bytes.of("p"), VALUE);
            writer.merge(Bytes.of("p"), VALUE);
        }
    }

    /** Has something closed when the calls are over. */
    <T extends AutoCloseable> T later(T closeable) {
        later.push(closeable);
        return closeable;
    }

    /** One that no transaction has locked. */
    byte[] newKey() {
        return Bytes.of("t" + names++ % 100_000);
    }

    Path newPath() {
        return directory.resolve("n" + names++);
    }

    /** Closes what the last calls have left, and what they have made unusable. */
    void tidy() throws Exception {
        while (!later.isEmpty()) {
            later.pop().close();
        }
        if (engine.infos().size() > MOST_FILES) {
            engine.purge(1);
        }
        RocksDB db = current;
        if (db != null && isClosed(db)) {
            awaitEnd();
            current = null;
        } else if (db != null && kind == NestedKind.ON_BACKGROUND_ERROR && isStopped(db)) {
            // RocksDB lets the thread that has failed sleep for a second.
            closing.add(Thread.ofPlatform().start(db::close));
            path = newPath();
            current = null;
        } else if (db != null && files(db) > MOST_FILES) {
            db.compact();
            other().compact();
        }
    }

    /** Whether a call has closed the database. */
    boolean isClosed() {
        return current == null || isClosed(current);
    }

    /** Everything that was part of a database is closed: so it must go, perhaps by another thread. */
    private void awaitEnd() throws InterruptedException {
        for (int i = 0; OpenDatabases.count() > 1; i++) {
            if (i == PATIENCE_MILLIS) {
                path = newPath();
                current = null;
                throw new AssertionError("The database is closed, but stays open inside");
            }
            Thread.sleep(1);
        }
    }

    private static boolean isClosed(RocksDB db) {
        return db.database().lifetime.isClosed();
    }

    private static boolean isStopped(RocksDB db) {
        return !Objects.equals(db.longProperty("rocksdb.is-write-stopped"), 0L)
                || !Objects.equals(db.longProperty("rocksdb.background-errors"), 0L);
    }

    private static long files(RocksDB db) {
        return Long.parseLong(Objects.requireNonNullElse(db.property("rocksdb.num-files-at-level0"), "0"));
    }

    static void delete(Path tree) throws IOException {
        try (var files = Files.walk(tree)) {
            for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }

    /** Fails if a value is not what it must be. */
    static void expect(byte @Nullable [] value) {
        if (!Arrays.equals(value, VALUE)) {
            throw new AssertionError("The value is " + Arrays.toString(value));
        }
    }

    static void expect(boolean condition, String what) {
        if (!condition) {
            throw new AssertionError("Not so: " + what);
        }
    }

    void end() throws Exception {
        tidy();
        if (current != null) {
            current.close();
        }
        engine.close();
        elsewhere.close();
        for (Thread each : closing) {
            each.join();
        }
    }
}
