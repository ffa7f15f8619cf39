package dev.outcrop.rocksdb;

import dev.outcrop.testsupport.misuse.MisuseObjects;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A few small databases of every kind, with some data. What was closed is opened again, in another directory if it is still in use. */
final class MisuseDatabases {
    private static final String TIMED = "timed";
    private static final String JAVA = "java";
    private static final long NOW = 5;
    private static final int MOST_DATABASES = 2000;
    /** One look at a database in so many finds out whether it can still be written. */
    private static final int CHECKED = 4;
    private static final List<String> FAMILIES = List.of("default", TIMED, JAVA, "other");

    private final Path directory;
    private final MisuseCallbacks callbacks;
    private final MisuseObjects objects;
    private final List<Kind> kinds = new ArrayList<>();
    private final AtomicInteger generations = new AtomicInteger();
    private final AtomicInteger closedForComparator = new AtomicInteger();

    /** Opens one kind of database. */
    private interface Opener {
        RocksDB open(Path path);
    }

    /** A kind of database, and the one that is open now. */
    private static final class Kind {
        final String name;
        final Opener opener;
        volatile @Nullable RocksDB current;

        Kind(String name, Opener opener) {
            this.name = name;
            this.opener = opener;
        }
    }

    MisuseDatabases(Path directory, MisuseCallbacks callbacks, MisuseObjects objects) {
        this.directory = directory;
        this.callbacks = callbacks;
        this.objects = objects;
        kind("plain", path -> RocksDB.open(path, options(), families()));
        // Backups refuse comparators in Java, but for one way to name their files.
        kind("native", path -> RocksDB.open(path, options(), nativeFamilies()));
        kind("locking", path -> TransactionDB.open(path, options(), lockingOptions(), families()));
        kind("optimistic", path -> OptimisticTransactionDB.open(path, options(), new OptimisticTransactionDBOptions(),
                families()));
        kind("ttl", path -> RocksDB.openWithTtl(path, options(), Duration.ofDays(1)));
        kind("reading", path -> RocksDB.openReadOnly(created(path), options(), families()));
        kind("secondary", path -> RocksDB.openSecondary(created(path), path.resolveSibling(path.getFileName() + "-own"),
                options().maxOpenFiles(-1), families()));
        // A merge that fails stops the writing for good, so the others have one that does not.
        kind("memory", path -> RocksDB.open(path,
                options().env(Env.inMemory()).mergeOperator(callbacks.of(MergeFunction.class)), families()));
    }

    private void kind(String name, Opener opener) {
        kinds.add(new Kind(name, opener));
    }

    /** Options that are safe to open and create with: those that the run itself changes would make it wait, or take all memory. */
    Options options() {
        return new Options().createIfMissing(true).createMissingColumnFamilies(true).enableStatistics()
                .mergeOperator(MergeOperator.STRING_APPEND).writeBufferSize(256 << 10)
                .level0FileNumCompactionTrigger(2).maxOpenFiles(100).pinBudget(100_000).keepLogFileNum(2)
                .blockBasedTableFactory(new BlockBasedTableOptions().blockCache(Cache.lru(100_000)))
                .compactionFilterFactory(callbacks.of(CompactionFilterFactory.class))
                .addEventListener(callbacks.of(EventListener.class))
                .infoLog(callbacks.of(InfoLogger.class), InfoLogLevel.WARN).maxTotalWalSize(1 << 20);
    }

    static TransactionDBOptions lockingOptions() {
        return new TransactionDBOptions().defaultLockTimeout(Duration.ofMillis(1))
                .transactionLockTimeout(Duration.ofMillis(1));
    }

    private Map<String, Options> families() {
        Map<String, Options> families = new HashMap<>(nativeFamilies());
        families.put(JAVA, options().comparator(callbacks.of(KeyComparator.class)));
        return families;
    }

    private Map<String, Options> nativeFamilies() {
        return Map.of(TIMED, timed(options()), "other", options().enableBlobFiles(true).minBlobSize(1000));
    }

    /** Options for keys with timestamps of 8 bytes. */
    static Options timed(Options options) {
        return options.set("comparator=leveldb.BytewiseComparator.u64ts");
    }

    private Path created(Path path) {
        try (RocksDB db = RocksDB.open(path, options(), families())) {
            fill(db);
        }
        return path;
    }

    void openAll(Random random) {
        for (int i = 0; i < kinds.size(); i++) {
            open(kinds.get(i), random);
        }
    }

    /** Sees to one of the databases. */
    void openAgain(Random random) {
        Kind kind = kinds.get(random.nextInt(kinds.size()));
        RocksDB db = kind.current;
        if (db != null && isOpen(db)) {
            if (random.nextInt(CHECKED) > 0 || mayBeWritten(db)) {
                show(db, random);
                return;
            }
            db.close();
            closedForComparator.incrementAndGet();
        }
        synchronized (kind) {
            if (kind.current == db) {
                open(kind, random);
            }
        }
    }

    private void open(Kind kind, Random random) {
        RocksDB before = kind.current;
        Path path = before == null ? fresh(kind) : before.path();
        RocksDB db = null;
        while (db == null) {
            try {
                db = kind.opener.open(path);
            } catch (RocksDBException | IllegalStateException | MisuseCallbacks.Provoked e) {
                // A closed database may still be in use by iterators, or its files may be damaged; or a callback has thrown or
                // lied.
                if (generations.get() > MOST_DATABASES) {
                    throw e;
                }
                path = fresh(kind);
            }
        }
        kind.current = db;
        fill(db);
        show(db, random);
    }

    private void show(RocksDB db, Random random) {
        objects.show(db, random);
        try {
            for (ColumnFamily family : db.columnFamilies()) {
                objects.show(family, random);
                if (family.name().equals(TIMED)) {
                    objects.show(family.with(new ReadOptions().timestamp(NOW)), random);
                    objects.show(family.at(NOW), random);
                }
            }
        } catch (IllegalStateException | IllegalArgumentException | RocksDBException e) {
            // Closed meanwhile, of a kind that takes timestamps only in transactions, or a family of the same name without them.
        }
    }

    private Path fresh(Kind kind) {
        return directory.resolve(kind.name + generations.getAndIncrement());
    }

    /** The directories of the databases, for calls that take one. */
    Path path(Random random) {
        return any(random).path();
    }

    /** One of the databases, which may be closed. */
    RocksDB any(Random random) {
        // All have been opened before anything else.
        return Objects.requireNonNull(kinds.get(random.nextInt(kinds.size())).current);
    }

    /** Families of one database: of the one that is given, if it is one. */
    List<ColumnFamily> families(@Nullable Object target, Random random) {
        try {
            return (target instanceof RocksDB db ? db : any(random)).columnFamilies();
        } catch (IllegalStateException e) {
            return List.of();
        }
    }

    static String familyName(Random random) {
        return FAMILIES.get(random.nextInt(FAMILIES.size()));
    }

    private static boolean isOpen(RocksDB db) {
        try {
            db.latestSequenceNumber();
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    /** Unless it has a comparator that has lied, after which only closing it helps. */
    private static boolean mayBeWritten(RocksDB db) {
        try {
            db.put(MisuseSegments.key(0), new byte[0]);
            return true;
        } catch (IllegalStateException e) {
            return false;
        } catch (RocksDBException | IllegalArgumentException | MisuseCallbacks.Provoked e) {
            // Opened for reading, or an error that stops writing, which reading goes on with.
            return true;
        }
    }

    private static void fill(RocksDB db) {
        try {
            for (int i = 0; i < MisuseSegments.KEYS; i++) {
                db.put(MisuseSegments.key(i), new byte[i * i]);
            }
            db.flush();
            ColumnFamily java = db.findColumnFamily(JAVA);
            if (java != null) {
                for (int i = MisuseSegments.KEYS - 1; i >= 0; i--) {
                    java.put(MisuseSegments.key(i), new byte[i]);
                }
            }
            ColumnFamily timed = db.findColumnFamily(TIMED);
            if (timed != null) {
                timed.at(NOW).put(MisuseSegments.key(1), MisuseSegments.key(2));
            }
            for (int i = 0; i < MisuseSegments.KEYS; i += 7) {
                db.merge(MisuseSegments.key(i), MisuseSegments.key(i));
            }
        } catch (RocksDBException | IllegalStateException | IllegalArgumentException | MisuseCallbacks.Provoked e) {
            // Opened for reading, closed meanwhile, or a callback has thrown; or there is another family of the name.
        }
    }

    /** How many databases could no longer be written, because their comparator had thrown or lied. */
    int closedForTheirComparator() {
        return closedForComparator.get();
    }

    /** Closes all that are open. */
    void closeAll() {
        for (Kind kind : kinds) {
            RocksDB db = kind.current;
            if (db != null) {
                db.close();
            }
        }
    }
}
