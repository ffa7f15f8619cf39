package dev.outcrop.rocksdbjni;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.outcrop.testsupport.misuse.MisuseMethod;
import dev.outcrop.testsupport.misuse.MisuseMethods;
import dev.outcrop.testsupport.misuse.MisuseObjects;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rocksdb.AbstractCompactionFilter;
import org.rocksdb.AbstractNativeReference;
import org.rocksdb.BackupEngine;
import org.rocksdb.BackupEngineOptions;
import org.rocksdb.CassandraCompactionFilter;
import org.rocksdb.CassandraValueMergeOperator;
import org.rocksdb.Checkpoint;
import org.rocksdb.ClockCache;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DirectSlice;
import org.rocksdb.Env;
import org.rocksdb.EnvOptions;
import org.rocksdb.ExportImportFilesMetaData;
import org.rocksdb.FlinkCompactionFilter;
import org.rocksdb.FlinkCompactionFilter.FlinkCompactionFilterFactory;
import org.rocksdb.HyperClockCache;
import org.rocksdb.LRUCache;
import org.rocksdb.OptimisticTransactionDB;
import org.rocksdb.Options;
import org.rocksdb.PerfContext;
import org.rocksdb.RateLimiter;
import org.rocksdb.RestoreOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksIterator;
import org.rocksdb.RocksMemEnv;
import org.rocksdb.Slice;
import org.rocksdb.Snapshot;
import org.rocksdb.SstFileManager;
import org.rocksdb.SstFileWriter;
import org.rocksdb.SstPartitionerFixedPrefixFactory;
import org.rocksdb.StringAppendOperator;
import org.rocksdb.TimedEnv;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.TransactionLogIterator;
import org.rocksdb.TtlDB;
import org.rocksdb.WriteBufferManager;
import org.rocksdb.WriteOptions;

/** Closed objects of every native class refuse their methods, or use no native memory in them. */
@SuppressWarnings({"resource", "deprecation"}) // closed by the tests, or on purpose not; each class is tested
class ClosedObjectsTest extends DatabaseTest {
    private static final byte[] KEY = "key1".getBytes(UTF_8);
    private static final int CALLS = 6;

    /** Methods that take the address of a native object, and methods that others would wait for. */
    private static final Set<String> LEFT_OUT = Set.of("setNativeHandle", "resetNativeHandle", "pauseBackgroundWork",
            "abortAllCompactions");

    /** Methods that are only called when the object is closed: open, they would close it, or change RocksDB's threads for all later tests. */
    private static final Pattern LATE = Pattern
            .compile(".*\\.(closeE?|lowerThreadPool\\w+|setBackgroundThreads|incBackgroundThreadsIfNeeded)");

    /**
     * Calls that may answer: closing again; as published, what options were given and the default family of a database, which is closed too;
     * equality; counters, which are the thread's; and calls of databases and transactions about nothing, such as no families or keys.
     */
    private static final Pattern ANSWERS = Pattern
            .compile(".*\\.(close|closeE|isOwningHandle|isClosed|getNativeHandle)/0"
                    + "|(Options|.*Options)\\.\\w+/0|.*\\.(equals|hashCode|startsWith)/\\d|PerfContext\\..*"
                    + "|\\w*DB\\.(createColumnFamilies|deleteFilesInRanges|enableAutoCompaction|\\wetPerfLevel|getPerfContext"
                    + "|getDefaultColumnFamily|releaseSnapshot)/\\d|Transaction\\.multiGet\\w*/\\d|\\w+\\.getWriteBatch/0"
                    // A closed factory is still called by the databases that have it.
                    + "|WriteBufferManager\\.allowStall/0|.*FlinkCompactionFilterFactory\\.\\w+/\\d");

    /** Classes without objects here, because making them is unsupported, and objects of the system, which closing leaves open. */
    private static final Set<String> NONE = Set.of("ConcurrentTaskLimiterImpl", "PersistentCache", "SstFileReader",
            "SstFileReaderIterator", "CompactionJobInfo", "CompactionJobStats", "WBWIRocksIterator", "RocksEnv");

    private final Random random = new Random(1);
    private final Map<Class<?>, Callable<? extends AutoCloseable>> makers = new LinkedHashMap<>();
    private int names;
    private @Nullable RocksDB database;
    private @Nullable TransactionDB transactions;

    private String fresh() {
        return directory.resolve("fresh" + names++).toString();
    }

    private <T extends AutoCloseable> void maker(Class<T> type, Callable<T> maker) {
        makers.put(type, maker);
    }

    @BeforeEach
    void open() throws Exception {
        Options options = new Options().setCreateIfMissing(true).setMergeOperator(new StringAppendOperator());
        RocksDB db = RocksDB.open(options, fresh());
        db.put(KEY, KEY);
        database = db;
        TransactionDB locking = TransactionDB.open(options, new TransactionDBOptions(), fresh());
        transactions = locking;
        Env system = Env.getDefault();
        maker(RocksDB.class, () -> RocksDB.open(options, fresh()));
        maker(TtlDB.class, () -> TtlDB.open(options, fresh(), 100, false));
        maker(TransactionDB.class, () -> TransactionDB.open(options, new TransactionDBOptions(), fresh()));
        maker(OptimisticTransactionDB.class, () -> OptimisticTransactionDB.open(options, fresh()));
        maker(BackupEngine.class, () -> BackupEngine.open(system, new BackupEngineOptions(directory.toString())));
        maker(BackupEngineOptions.class, () -> new BackupEngineOptions(directory.toString()));
        maker(CassandraCompactionFilter.class, () -> new CassandraCompactionFilter(true, 1));
        maker(CassandraValueMergeOperator.class, () -> new CassandraValueMergeOperator(1));
        maker(Checkpoint.class, () -> Checkpoint.create(db));
        maker(ClockCache.class, () -> new ClockCache(1 << 20));
        maker(ColumnFamilyHandle.class,
                () -> db.createColumnFamily(new ColumnFamilyDescriptor(("family" + names++).getBytes(UTF_8))));
        maker(DirectSlice.class, () -> new DirectSlice(ByteBuffer.allocateDirect(8)));
        maker(FlinkCompactionFilterFactory.class, () -> new FlinkCompactionFilterFactory(() -> 0));
        maker(FlinkCompactionFilter.class,
                () -> new FlinkCompactionFilterFactory(() -> 0)
                        .createCompactionFilter(new AbstractCompactionFilter.Context(false, false)));
        maker(HyperClockCache.class, () -> new HyperClockCache(1 << 20, 1024, 1, false));
        maker(LRUCache.class, () -> new LRUCache(1 << 20));
        maker(RateLimiter.class, () -> new RateLimiter(1 << 20));
        maker(RestoreOptions.class, () -> new RestoreOptions(true));
        maker(PerfContext.class, db::getPerfContext);
        maker(RocksIterator.class, db::newIterator);
        maker(Snapshot.class, db::getSnapshot);
        maker(RocksMemEnv.class, () -> new RocksMemEnv(system));
        maker(TimedEnv.class, () -> new TimedEnv(system));
        maker(Slice.class, () -> new Slice("slice"));
        maker(SstFileManager.class, () -> new SstFileManager(system));
        maker(SstFileWriter.class, () -> new SstFileWriter(new EnvOptions(), options));
        maker(SstPartitionerFixedPrefixFactory.class, () -> new SstPartitionerFixedPrefixFactory(1));
        maker(Transaction.class, () -> locking.beginTransaction(new WriteOptions()));
        maker(TransactionLogIterator.class, () -> db.getUpdatesSince(0));
        maker(WriteBufferManager.class, () -> new WriteBufferManager(1 << 20, new LRUCache(1 << 20)));
        maker(ExportImportFilesMetaData.class,
                () -> Checkpoint.create(db).exportColumnFamily(db.getDefaultColumnFamily(), fresh()));
        for (Class<?> type : nativeTypes()) {
            if (!makers.containsKey(type) && hasPlainConstructor(type)) {
                makers.put(type, () -> (AutoCloseable) type.getConstructor().newInstance());
            }
        }
    }

    @AfterEach
    void close() {
        List.of(database, transactions).forEach(RocksDB::close);
    }

    /** All classes of native objects that programs may have, whether they can make them or are given them. */
    private static List<Class<?>> nativeTypes() throws IOException {
        return MisuseMethods.publicTypes(RocksDB.class).stream()
                .filter(type -> AbstractNativeReference.class.isAssignableFrom(type)
                        && !Modifier.isAbstract(type.getModifiers()) && !NONE.contains(type.getSimpleName()))
                .toList();
    }

    private static boolean hasPlainConstructor(Class<?> type) {
        return Arrays.stream(type.getConstructors()).anyMatch(each -> each.getParameterCount() == 0);
    }

    @Test
    void noClassIsLeftOut() throws IOException {
        assertThat(makers.keySet()).containsAll(nativeTypes());
    }

    @Test
    void eachMethodOfAClosedObjectIsRefused() throws Exception {
        Set<String> answered = new TreeSet<>();
        forEach((type, object, arguments) -> {
            end(object);
            use(methods(type), object, arguments, answered);
        });
        assertThat(answered).isNotEmpty().allMatch(ANSWERS.asMatchPredicate());
    }

    @Tag("verify")
    @Test
    void eachIsClosedWhileAnotherThreadUsesIt() throws Exception {
        Set<String> answered = new TreeSet<>();
        Set<String> answeredLate = new TreeSet<>();
        forEach((type, object, arguments) -> {
            CountDownLatch isUsed = new CountDownLatch(1);
            AtomicBoolean isClosed = new AtomicBoolean();
            List<MisuseMethod> methods = methods(type);
            List<MisuseMethod> harmless = methods.stream()
                    .filter(method -> !LATE.matcher(method.name).matches())
                    .toList();
            FutureTask<?> user = new FutureTask<>(() -> {
                while (!isClosed.get()) {
                    isUsed.countDown();
                    use(harmless, object, arguments, answered);
                }
                use(methods, object, arguments, answeredLate);
            }, null);
            Thread.ofPlatform().start(user);
            isUsed.await();
            // At any of its calls.
            Thread.sleep(0, random.nextInt(1_000_000));
            end(object);
            isClosed.set(true);
            user.get();
        });
        assertThat(answered).anyMatch(ANSWERS.asMatchPredicate().negate());
        assertThat(answeredLate).isNotEmpty().allMatch(ANSWERS.asMatchPredicate());
    }

    /** The use of an object of a type, and arguments for its methods. */
    private interface Use {
        void make(Class<?> type, AutoCloseable object, MisuseArguments arguments) throws Exception;
    }

    private void forEach(Use use) throws Exception {
        MisuseObjects objects = new MisuseObjects(MisuseMethods.publicTypes(RocksDB.class), 1);
        MisuseWorld world = new MisuseWorld(Files.createDirectories(directory.resolve("world")), objects);
        world.openAll(random);
        for (Map.Entry<Class<?>, Callable<? extends AutoCloseable>> each : makers.entrySet()) {
            use.make(each.getKey(), each.getValue().call(), new MisuseArguments(world, objects, 0, random));
        }
        objects.closeAll();
        world.closeAll();
    }

    /** Calls each method some times, and adds those that have answered. */
    private static void use(List<MisuseMethod> methods, AutoCloseable object, MisuseArguments arguments,
            Set<String> answered) {
        for (MisuseMethod method : methods) {
            for (int i = 0; i < CALLS; i++) {
                if (!isRefused(method, object, arguments.of(method, object))) {
                    answered.add(method.name + "/" + method.parameters.length);
                }
            }
        }
    }

    /** Snapshots are released, which closing them does not do. */
    private void end(AutoCloseable object) throws Exception {
        if (object instanceof Snapshot snapshot && database != null) {
            database.releaseSnapshot(snapshot);
        } else {
            object.close();
        }
    }

    private static List<MisuseMethod> methods(Class<?> type) {
        return new MisuseMethods(List.of(type), _ -> true, _ -> false, _ -> false).all().stream()
                .filter(MisuseMethod::needsTarget)
                .filter(method -> !LEFT_OUT.contains(method.name.substring(method.name.indexOf('.') + 1))).toList();
    }

    private static boolean isRefused(MisuseMethod method, AutoCloseable closed, @Nullable Object[] arguments) {
        try {
            method.call(closed, arguments);
            return false;
        } catch (InvocationTargetException e) {
            Throwable thrown = Objects.requireNonNull(e.getCause());
            assertThat(thrown instanceof AssertionError || MisuseRun.isExpected(thrown, arguments))
                    .as("%s threw %s", method, thrown).isTrue();
            return true;
        }
    }
}
