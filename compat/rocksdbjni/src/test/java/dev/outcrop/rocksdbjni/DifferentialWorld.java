package dev.outcrop.rocksdbjni;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.NullUnmarked;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.BuiltinComparator;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.OptimisticTransactionDB;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.Snapshot;
import org.rocksdb.Statistics;
import org.rocksdb.StringAppendOperator;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.UInt64AddOperator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteBatchWithIndex;

/** The objects that a {@link DifferentialProgram} works with: a database in some form, and what belongs to it. */
@NullUnmarked // null is an argument and a result like any other here
final class DifferentialWorld {

    /** How the database is opened; the families of a name always have the same options. */
    enum Form {
        FAMILIES,
        DEFAULT_ONLY,
        READ_ONLY,
        READ_ONLY_DEFAULT,
        SECONDARY,
        SECONDARY_DEFAULT,
        LOCKING,
        OPTIMISTIC;

        /** Such a database can be changed through the published jar here and there. */
        boolean isForReading() {
            return switch (this) {
                case READ_ONLY, READ_ONLY_DEFAULT, SECONDARY, SECONDARY_DEFAULT -> true;
                case FAMILIES, DEFAULT_ONLY, LOCKING, OPTIMISTIC -> false;
            };
        }
    }

    static final List<String> FAMILIES = List.of("append", "count", "reverse", "blob", "plain");

    final DifferentialTranscript transcript;
    final Path directory;
    final Path path;
    RocksDB database;
    Form form = Form.FAMILIES;
    WriteBatch batch;
    WriteBatchWithIndex indexed;
    Transaction transaction;
    /** In the transaction; it may be enabled again. */
    boolean indexingWasDisabled;
    Statistics statistics;
    /** Whether both sides must have counted the same reads since the database was opened. */
    boolean countsReadsAlike;
    boolean countsStepsAlike;
    final List<ColumnFamilyHandle> families = new ArrayList<>();
    final List<RocksIterator> iterators = new ArrayList<>();
    /** The names of the iterators that were made alone. */
    final Set<RocksIterator> refreshable = Collections.newSetFromMap(new WeakHashMap<>());
    final List<Snapshot> snapshots = new ArrayList<>();
    private final List<AutoCloseable> options = new ArrayList<>();

    DifferentialWorld(DifferentialTranscript transcript, Path directory) {
        this.transcript = transcript;
        this.directory = directory;
        this.path = directory.resolve("db");
    }

    ColumnFamilyHandle anyFamily(Random random) {
        return families.get(random.nextInt(families.size()));
    }

    boolean isReverse(ColumnFamilyHandle family) {
        try {
            return new String(family.getName(), StandardCharsets.UTF_8).equals("reverse");
        } catch (RocksDBException e) {
            throw new IllegalStateException(e);
        }
    }

    Snapshot anySnapshot(Random random) {
        return snapshots.isEmpty() ? null : snapshots.get(random.nextInt(snapshots.size()));
    }

    /** Now and then with bounds, at a snapshot, with a prefix, in memory only. */
    ReadOptions readOptions(Random random, boolean bounds) {
        ReadOptions read = new ReadOptions();
        if (!snapshots.isEmpty() && random.nextInt(3) == 0) {
            feature("ReadOptions.setSnapshot(Snapshot)", () -> read.setSnapshot(anySnapshot(random)));
        }
        if (bounds) {
            byte[] lower = DifferentialArguments.key(random);
            byte[] upper = DifferentialArguments.key(random);
            int kind = random.nextInt(8);
            // The slices live as long as the database, as programs must see to.
            if ((kind & 1) != 0) {
                feature("ReadOptions.setIterateLowerBound(Slice)",
                        () -> read.setIterateLowerBound(kept(new Slice(lower))));
            }
            if ((kind & 2) != 0) {
                feature("ReadOptions.setIterateUpperBound(Slice)",
                        () -> read.setIterateUpperBound(kept(new Slice(upper))));
            }
            read.setTotalOrderSeek(kind != 4);
            read.setPrefixSameAsStart(kind == 4);
            read.setPinData(kind == 5);
        }
        return read.setVerifyChecksums(random.nextBoolean()).setFillCache(random.nextBoolean());
    }

    private <T extends AutoCloseable> T kept(T object) {
        options.add(object);
        return object;
    }

    /** Does something that is not there on our side, perhaps; then it is left out on both. */
    private void feature(String name, Callable<?> body) {
        transcript.call(name, () -> {
            body.call();
            return null;
        });
    }

    /** So that what there is does not depend on time, even where automatic compactions get enabled. */
    static ColumnFamilyOptions withoutBackgroundWork(ColumnFamilyOptions family) {
        return family.setDisableAutoCompactions(true).setLevel0FileNumCompactionTrigger(800)
                .setLevel0SlowdownWritesTrigger(900).setLevel0StopWritesTrigger(1000);
    }

    private ColumnFamilyOptions familyOptions(String name) {
        ColumnFamilyOptions family = kept(withoutBackgroundWork(new ColumnFamilyOptions()));
        switch (name) {
            case "default" -> {
                family.setTableFormatConfig(
                        new BlockBasedTableConfig().setBlockSize(512).setFilterPolicy(kept(new BloomFilter(10)))
                                .setWholeKeyFiltering(true));
                feature("ColumnFamilyOptions.setMergeOperator(MergeOperator)",
                        () -> family.setMergeOperator(kept(new StringAppendOperator('-'))));
            }
            case "append" -> feature("ColumnFamilyOptions.setMergeOperatorName(String)",
                    () -> family.setMergeOperatorName("stringappend"));
            case "count" -> feature("ColumnFamilyOptions.setMergeOperator(MergeOperator)",
                    () -> family.setMergeOperator(kept(new UInt64AddOperator())));
            case "reverse" -> family.setComparator(BuiltinComparator.REVERSE_BYTEWISE_COMPARATOR);
            case "blob" -> family.setEnableBlobFiles(true).setMinBlobSize(50);
            default -> family.useFixedLengthPrefixExtractor(2);
        }
        return family;
    }

    ColumnFamilyDescriptor descriptor(String name) {
        return new ColumnFamilyDescriptor(name.getBytes(StandardCharsets.UTF_8), familyOptions(name));
    }

    private DBOptions databaseOptions() {
        DBOptions made = kept(new DBOptions()).setCreateIfMissing(true).setAllowFAllocate(false).setWalTtlSeconds(3600)
                .setStatsDumpPeriodSec(0)
                .setStatsPersistPeriodSec(0);
        if (transcript.has("DBOptions.setStatistics(Statistics)")) {
            feature("DBOptions.setStatistics(Statistics)", () -> {
                statistics = kept(new Statistics());
                return made.setStatistics(statistics);
            });
        }
        return made;
    }

    /** The families of the files, those of the program if there are none yet. */
    private List<ColumnFamilyDescriptor> descriptors() {
        List<ColumnFamilyDescriptor> found = new ArrayList<>();
        if (Files.exists(path.resolve("CURRENT"))) {
            try (Options plain = new Options()) {
                for (byte[] name : RocksDB.listColumnFamilies(plain, path.toString())) {
                    found.add(descriptor(new String(name, StandardCharsets.UTF_8)));
                }
            } catch (RocksDBException e) {
                throw new IllegalStateException(e);
            }
        } else {
            found.add(descriptor("default"));
        }
        return found;
    }

    /** Opens it; if that fails, as a plain database with all its families. */
    void open(Form as, Random random) {
        form = as;
        countsReadsAlike = true;
        countsStepsAlike = true;
        tryToOpen(random);
        if (database == null) {
            form = Form.FAMILIES;
            tryToOpen(random);
        }
        if (database == null) {
            throw new IllegalStateException("Cannot be opened");
        }
        if (families.isEmpty()) {
            families.add(database.getDefaultColumnFamily());
        }
        batch = new WriteBatch();
        transcript.call("WriteBatchWithIndex()", () -> indexed = new WriteBatchWithIndex(random.nextBoolean()));
    }

    private void tryToOpen(Random random) {
        String files = path.toString();
        String own = directory.resolve("secondary").toString();
        DBOptions dbOptions = databaseOptions();
        List<ColumnFamilyDescriptor> all = descriptors();
        boolean flag = random.nextInt(4) == 0;
        Options plain = form.name().contains("DEFAULT") ? plainOptions(dbOptions) : null;
        transcript.call("open " + form, () -> {
            database = switch (form) {
                case FAMILIES -> RocksDB.open(dbOptions, files, all, families);
                case DEFAULT_ONLY -> RocksDB.open(plain, files);
                case READ_ONLY -> RocksDB.openReadOnly(dbOptions, files, all, families, flag);
                case READ_ONLY_DEFAULT -> RocksDB.openReadOnly(plain, files, flag);
                case SECONDARY -> RocksDB.openAsSecondary(dbOptions, files, own, all, families);
                case SECONDARY_DEFAULT -> RocksDB.openAsSecondary(plain, files, own);
                case LOCKING -> TransactionDB.open(dbOptions, kept(new TransactionDBOptions())
                        .setTransactionLockTimeout(1).setDefaultLockTimeout(1), files, all, families);
                case OPTIMISTIC -> OptimisticTransactionDB.open(dbOptions, files, all, families);
            };
            return families;
        });
    }

    private Options plainOptions(DBOptions dbOptions) {
        return kept(new Options(dbOptions, familyOptions("default")));
    }

    /** Closes everything in the order that the published jar needs. */
    void close() throws Exception {
        for (RocksIterator iterator : iterators) {
            iterator.close();
        }
        iterators.clear();
        if (transaction != null) {
            transaction.close();
            transaction = null;
        }
        for (Snapshot snapshot : snapshots) {
            database.releaseSnapshot(snapshot);
        }
        snapshots.clear();
        if (indexed != null) {
            indexed.close();
            indexed = null;
        }
        batch.close();
        for (ColumnFamilyHandle family : families) {
            family.close();
        }
        families.clear();
        database.close();
        database = null;
        statistics = null;
        for (AutoCloseable each : options) {
            each.close();
        }
        options.clear();
    }
}
