package dev.outcrop.rocksdbjni;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.outcrop.rocksdbjni.FailingComparator.Fault;
import dev.outcrop.rocksdbjni.FailingComparator.Kind;
import dev.outcrop.testsupport.TestSize;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.rocksdb.AbstractNativeReference;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompactionStyle;
import org.rocksdb.ComparatorOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.OptimisticTransactionDB;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.StringAppendOperator;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.TtlDB;
import org.rocksdb.WriteOptions;

/** A database of {@link FailingComparators}, opened again and again, with what it acknowledged. */
final class FailingDatabase implements AutoCloseable {
    private static final int MORE_STEPS = TestSize.choose("outcrop.failing.steps", 500, 2500);
    final Path path;
    private final Random random;
    final Fault fault;
    private final List<AbstractNativeReference> owned = new ArrayList<>();
    private final DBOptions options;
    final List<ColumnFamilyDescriptor> families = new ArrayList<>();
    private final List<ColumnFamilyOptions> familyOptions = new ArrayList<>();
    private final TransactionDBOptions locking = own(new TransactionDBOptions());
    final FlushOptions flush = own(new FlushOptions());
    final WriteOptions logged = own(new WriteOptions());
    final WriteOptions notLogged = own(new WriteOptions().setDisableWAL(true));
    private final ComparatorOptions shown;
    final int kindOfDatabase;
    final int threads;
    private final int steps;
    final boolean skipsLog;
    /** By family, then by thread. */
    final List<List<FailingModel>> models = new ArrayList<>();
    final List<ColumnFamilyHandle> handles = new ArrayList<>();
    final Options tables;
    private final Set<String> said = ConcurrentHashMap.newKeySet();
    private @Nullable RocksDB db;
    private volatile boolean isDown;
    private volatile boolean hasRefused;

    FailingDatabase(Path path, Kind kind, long seed) {
        this.path = path;
        random = new Random(seed);
        boolean isReversed = random.nextBoolean();
        // A comparator that fails from the beginning on may be an order.
        fault = new Fault(kind, isReversed, 100 + (int) Math.exp(random.nextDouble() * Math.log(200_000)));
        shown = own(new ComparatorOptions().setUseDirectBuffer(random.nextBoolean()));
        kindOfDatabase = random.nextInt(5);
        threads = random.nextInt(3) == 0 ? 3 : 1;
        steps = 300 + random.nextInt(MORE_STEPS);
        skipsLog = random.nextInt(4) == 0;
        options = own(new DBOptions().setCreateIfMissing(true).setCreateMissingColumnFamilies(true)
                .setAllowFAllocate(false)
                .setMaxBackgroundJobs(1 + random.nextInt(4)).setMaxSubcompactions(1 + random.nextInt(2))
                .setAvoidFlushDuringRecovery(random.nextBoolean()).setMaxOpenFiles(random.nextBoolean() ? -1 : 100)
                .setAtomicFlush(random.nextInt(4) == 0)
                .setAllowConcurrentMemtableWrite(random.nextBoolean()));
        int count = 1 + random.nextInt(2);
        FailingComparator order = own(new FailingComparator(shown, fault));
        boolean isUniversal = random.nextInt(3) == 0;
        for (int i = 0; i < count; i++) {
            int choice = random.nextInt(3);
            ColumnFamilyOptions each = own(new ColumnFamilyOptions())
                    .setMergeOperator(own(new StringAppendOperator('+')))
                    .setWriteBufferSize(8192L << random.nextInt(4))
                    .setTargetFileSizeBase(8192L << random.nextInt(3))
                    .setMaxBytesForLevelBase(16384L << random.nextInt(3))
                    .setLevel0FileNumCompactionTrigger(2 + random.nextInt(4))
                    .setNumLevels(isUniversal ? 4 + random.nextInt(3) : 3 + random.nextInt(3))
                    .setDisableAutoCompactions(random.nextInt(6) == 0)
                    .setCompactionStyle(isUniversal ? CompactionStyle.UNIVERSAL : CompactionStyle.LEVEL);
            if (i == 0 || choice == 0) {
                each.setComparator(order);
            } else {
                each.setComparator(own(new FailingComparator(shown, fault)));
            }
            familyOptions.add(each);
            families.add(new ColumnFamilyDescriptor(
                    i == 0 ? RocksDB.DEFAULT_COLUMN_FAMILY : ("family" + i).getBytes(UTF_8), each));
            List<FailingModel> ofThreads = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                ofThreads.add(new FailingModel());
            }
            models.add(ofThreads);
        }
        tables = own(new Options().setComparator(own(new FailingComparator(shown, Fault.never(isReversed)))));
    }

    private <T extends AbstractNativeReference> T own(T object) {
        owned.add(object);
        return object;
    }

    void open() throws RocksDBException {
        handles.clear();
        String at = path.toString();
        db = switch (kindOfDatabase) {
            case 1 -> TransactionDB.open(options, locking, at, families, handles);
            case 2 -> OptimisticTransactionDB.open(options, at, families, handles);
            case 3 -> TtlDB.open(options, at, families, handles, families.stream().map(_ -> 0).toList(), false);
            default -> RocksDB.open(options, at, families, handles);
        };
        isDown = false;
    }

    RocksDB db() {
        return Objects.requireNonNull(db);
    }

    /** Takes note of what a call has thrown because the comparator fails. */
    void refuse(RocksDBException e) {
        isDown = true;
        hasRefused = true;
        say(e);
    }

    /** Takes note of what a call has thrown. */
    void say(RocksDBException e) {
        said.add(e.getMessage() == null
                ? e.toString()
                : e.getMessage().replaceAll("\\d+", "#").replaceAll("/\\S*", "PATH"));
    }

    /** Whether it has refused a call since it was opened. */
    boolean isDown() {
        return isDown;
    }

    /** Whether it has ever refused a call because the comparator fails. */
    boolean hasRefused() {
        return hasRefused;
    }

    Set<String> said() {
        return said;
    }

    void use() throws Exception {
        fault.shelter();
        try {
            open();
        } catch (RocksDBException e) {
            if (!fault.mayRefuse()) {
                throw e;
            }
            refuse(e);
        } finally {
            fault.leave();
        }
        int rounds = 1 + random.nextInt(3);
        for (int round = 0; round < rounds && db != null; round++) {
            List<Thread> running = new ArrayList<>();
            List<Throwable> thrown = new CopyOnWriteArrayList<>();
            boolean isLast = round == rounds - 1;
            for (int t = 0; t < threads; t++) {
                int number = t;
                long seed = random.nextLong();
                Thread thread = Thread.ofPlatform().name("own-" + t).unstarted(() -> {
                    try {
                        FailingComparator.enter();
                        new FailingUser(this, number, new Random(seed)).run(steps / rounds, isLast);
                    } catch (Throwable e) {
                        thrown.add(e);
                    } finally {
                        FailingComparator.leave();
                    }
                });
                thread.start();
                running.add(thread);
            }
            for (Thread thread : running) {
                thread.join();
            }
            if (!thrown.isEmpty()) {
                throw new AssertionError("A call has failed: " + thrown.getFirst(), thrown.getFirst());
            }
            reopen(isLast);
        }
        if (db != null) {
            db.close();
            db = null;
        }
    }

    /** Does what a user does who does not know the fault. */
    private void reopen(boolean isLast) {
        db().close();
        db = null;
        boolean isTried = fault.hasBegun() && fault.kind.isSteady();
        if (!isTried && (isLast || (fault.hasBegun() && !FailingComparator.ANYWHERE))) {
            return;
        }
        boolean isSheltered = fault.shelter();
        try {
            open();
        } catch (RocksDBException e) {
            if (!fault.mayRefuse()) {
                throw new AssertionError("Cannot be opened again", e);
            }
            refuse(e);
            db = null;
        } finally {
            if (isSheltered) {
                fault.leave();
            }
        }
    }

    /** With a comparator that works. */
    void verify() throws Exception {
        fault.end();
        open();
        compare("opened again");
        for (ColumnFamilyHandle handle : handles) {
            db().flush(flush, handle);
            db().compactRange(handle);
        }
        compare("compacted");
        db().close();
        open();
        compare("opened for the third time");
        db().close();
    }

    private void compare(String when) throws RocksDBException {
        for (int f = 0; f < families.size(); f++) {
            FailingModel.compare(db(), handles.get(f), fault.order(), models.get(f), when);
        }
    }

    @Override
    public void close() {
        if (db != null) {
            db.close();
        }
        for (AbstractNativeReference each : owned.reversed()) {
            each.close();
        }
    }
}
