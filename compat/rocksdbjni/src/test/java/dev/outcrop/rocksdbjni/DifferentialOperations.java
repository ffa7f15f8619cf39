package dev.outcrop.rocksdbjni;

import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.rocksdb.AbstractRocksIterator;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.OptimisticTransactionDB;
import org.rocksdb.OptimisticTransactionOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksIterator;
import org.rocksdb.RocksObject;
import org.rocksdb.Snapshot;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionLogIterator;
import org.rocksdb.TransactionOptions;
import org.rocksdb.WBWIRocksIterator;
import org.rocksdb.WriteOptions;

/**
 * The operations of a {@link DifferentialProgram}: families of methods in all their forms, found by reflection, and steps of several calls. Not
 * {@code getPropertiesOfTablesInRange}, which returns an array of addresses instead of a map in the published jar, and not
 * {@code enableAutoCompaction}, after which what there is depends on time.
 */
@NullUnmarked // null is an argument and a result like any other here
final class DifferentialOperations {

    private static final int MOST_OPEN = 4;

    /** A step. */
    private interface Operation {
        void run(Random random) throws Exception;
    }

    private final DifferentialWorld world;
    private final DifferentialTranscript transcript;
    private final DifferentialFiles files;
    private final DifferentialBatches batches;
    private final List<Operation> operations = new ArrayList<>();

    DifferentialOperations(DifferentialWorld world) {
        this.world = world;
        this.transcript = world.transcript;
        this.files = new DifferentialFiles(world);
        this.batches = new DifferentialBatches(world);
        add(22, onDatabase("put|merge"));
        add(6, onDatabase("delete|singleDelete"));
        add(1, onDatabase("deleteRange"));
        add(14, onDatabase("get"));
        add(8, onDatabase("multiGetAsList|multiGetByteBuffers|keyExists|keyMayExist"));
        add(4, onDatabase("getProperty|getLongProperty|getAggregatedLongProperty"));
        add(2, onDatabase("numberLevels|maxMemCompactionLevel|level0StopWriteTrigger|getName|getLatestSequenceNumber|"
                + "getDefaultColumnFamily|isClosed|getPerfLevel|isOwningHandle|getApproximateSizes"));
        add(1, onDatabase("flush|compactRange"));
        // Without suggestCompactRange: a compaction that it starts would end sooner or later.
        add(1, onDatabase("flushWal|syncWal|verifyChecksum|disableFileDeletions|enableFileDeletions|"
                + "tryCatchUpWithPrimary|resetStats|promoteL0|deleteFilesInRanges|"
                + "getColumnFamilyMetaData|getPropertiesOfAllTables|"
                + "getLiveFilesMetaData|getSortedWalFiles"));
        add(1, onDatabase("getOptions|getDBOptions"));
        add(6, this::newIterator);
        add(36, this::useIterator);
        add(1, random -> drop(world.iterators, random));
        add(2, this::snapshot);
        add(20, batches::change);
        add(3, batches::look);
        add(3, onDatabase("write"));
        add(3, batches::indexedReads);
        add(1, this::updates);
        add(1, this::families);
        add(1, files::one);
        add(14, this::transaction);
        add(2, this::reopen);
    }

    private void add(int weight, Operation operation) {
        for (int i = 0; i < weight; i++) {
            operations.add(operation);
        }
    }

    void one(Random random) throws Exception {
        if (transcript.takeWriteFailure() && random.nextInt(8) == 0) {
            // The database may have been stopped by it.
            reopen(random);
        } else {
            operations.get(random.nextInt(operations.size())).run(random);
        }
    }

    /** Public methods in the same order on both sides. */
    static List<Method> methods(Class<?> type, String names) {
        return Arrays.stream(type.getMethods())
                .filter(method -> method.getName().matches(names) && !method.isSynthetic()
                        && !Modifier.isStatic(method.getModifiers()))
                .sorted(Comparator.comparing(DifferentialOperations::name)).toList();
    }

    /** Without the package, and the class that declares it, which may be another one in ours. */
    private static String name(Executable method) {
        return method.getName() + Stream.of(method.getParameterTypes()).map(Class::getSimpleName)
                .collect(Collectors.joining(", ", "(", ")"));
    }

    private Operation onDatabase(String names) {
        List<Method> methods = methods(RocksDB.class, names);
        return random -> call(world, RocksDB.class, methods, world.database, random);
    }

    /** Calls one of the methods with any arguments. */
    static Object call(DifferentialWorld world, Class<?> type, List<Method> methods, Object target, Random random)
            throws Exception {
        Method method = methods.get(random.nextInt(methods.size()));
        String name = type.getSimpleName() + "." + name(method);
        if (target == null) {
            return null;
        }
        DifferentialArguments arguments = new DifferentialArguments(world, method, random);
        Object[] values = arguments.values();
        DifferentialText text = world.transcript.text();
        try {
            if (DifferentialCrashes.of(method, values, world)) {
                return null;
            }
            world.indexingWasDisabled |= method.getName().equals("disableIndexing");
            // The published jar looks a key up twice to know whether it exists.
            world.countsReadsAlike &= !method.getName().equals("keyExists");
            // A transaction's reads of many keys are counted one by one here; and whether a key is tracked is found out by reading it.
            world.countsReadsAlike &= type != Transaction.class || !(method.getName().startsWith("multiGet")
                    || (values.length > 0 && Boolean.TRUE.equals(values[values.length - 1])));
            // An iterator tells its steps when it ends, and here it is made again for a snapshot.
            world.countsStepsAlike &= !(method.getName().equals("refresh") && values.length > 0);
            String before = text.of(values);
            return world.transcript.call(name, before, () -> method.invoke(target, values), () -> {
                String after = text.of(values);
                return after.equals(before) ? "" : " and " + after;
            });
        } finally {
            arguments.close();
        }
    }

    private final List<Method> newIterators = methods(RocksDB.class, "newIterator|newIterators");

    private void newIterator(Random random) throws Exception {
        Object made = call(world, RocksDB.class, newIterators, world.database, random);
        List<?> all = made instanceof List<?> list ? list : made == null ? List.of() : List.of(made);
        for (Object each : all) {
            keepIterator((RocksIterator) each, random);
        }
        // Iterators of a secondary database are refreshed to the present only here: it has none at snapshots.
        if (made instanceof RocksIterator alone && !world.form.name().startsWith("SECONDARY")) {
            world.refreshable.add(alone);
        }
    }

    private void keepIterator(RocksIterator iterator, Random random) {
        if (iterator != null) {
            if (world.iterators.size() >= MOST_OPEN) {
                world.iterators.remove(random.nextInt(MOST_OPEN)).close();
            }
            world.iterators.add(iterator);
        }
    }

    private static final List<Method> SEEKS = methods(AbstractRocksIterator.class, "seek.*|refresh").stream()
            .filter(method -> !method.getName().equals("refresh") || method.getParameterCount() == 0).toList();
    /** Also at a snapshot, which is refused for iterators of a batch, of a transaction, and for those that were made together. */
    private static final List<Method> MOVES = methods(AbstractRocksIterator.class, "seek.*|refresh");
    /** Not to the present, for which the published jar has no native method. */
    private static final List<Method> BATCH_MOVES = MOVES.stream()
            .filter(method -> !method.getName().equals("refresh") || method.getParameterCount() == 1).toList();
    private static final List<Method> STEPS = methods(AbstractRocksIterator.class, "next|prev");
    private static final List<Method> LOOKS = methods(RocksIterator.class, "key|value");
    private static final List<Method> STATES = methods(AbstractRocksIterator.class, "isValid|status");

    private void useIterator(Random random) throws Exception {
        if (!world.iterators.isEmpty()) {
            walk(world, world.iterators.get(random.nextInt(world.iterators.size())), RocksIterator.class, LOOKS,
                    random);
        }
    }

    /** Moves an iterator a few times and looks where it is; never looks where the published jar would crash. */
    static void walk(DifferentialWorld world, AbstractRocksIterator<?> iterator, Class<?> type, List<Method> looks,
            Random random) throws Exception {
        List<Method> moves = iterator instanceof WBWIRocksIterator
                ? BATCH_MOVES
                : world.refreshable.contains(iterator) ? MOVES : SEEKS;
        for (int i = random.nextInt(6); i >= 0; i--) {
            boolean valid = iterator.isValid();
            List<Method> methods = switch (random.nextInt(6)) {
                case 0 -> moves;
                case 1 -> STATES;
                case 2, 3 -> valid ? STEPS : moves;
                default -> valid ? looks : moves;
            };
            call(world, type, methods, iterator, random);
        }
        call(world, type, STATES, iterator, random);
    }

    private static <T extends AutoCloseable> void drop(List<T> list, Random random) throws Exception {
        if (!list.isEmpty()) {
            list.remove(random.nextInt(list.size())).close();
        }
    }

    private void snapshot(Random random) {
        if (world.snapshots.size() >= MOST_OPEN) {
            Snapshot old = world.snapshots.remove(random.nextInt(MOST_OPEN));
            transcript.call("RocksDB.releaseSnapshot(Snapshot)", () -> {
                world.database.releaseSnapshot(old);
                return null;
            });
        } else if (transcript.call("RocksDB.getSnapshot()", world.database::getSnapshot) instanceof Snapshot made) {
            transcript.call("Snapshot.getSequenceNumber()", made::getSequenceNumber);
            world.snapshots.add(made);
        }
    }

    private void updates(Random random) {
        long since = random.nextInt(100);
        transcript.call("RocksDB.getUpdatesSince(long)", Long.toString(since), () -> {
            List<Object> found = new ArrayList<>();
            try (TransactionLogIterator log = world.database.getUpdatesSince(since)) {
                for (int i = 0; i < 3 && log.isValid(); i++) {
                    TransactionLogIterator.BatchResult result = log.getBatch();
                    found.add(result.sequenceNumber());
                    found.add(result.writeBatch().data());
                    log.next();
                }
                log.status();
            }
            return found;
        }, () -> "");
    }

    private void families(Random random) throws Exception {
        String name = DifferentialWorld.FAMILIES.get(random.nextInt(DifferentialWorld.FAMILIES.size()));
        switch (random.nextInt(6)) {
            case 0 -> {
                if (world.families.size() > 1 && !world.form.isForReading()) {
                    ColumnFamilyHandle family = world.families.get(1 + random.nextInt(world.families.size() - 1));
                    // Its children go first.
                    closeIterators();
                    transcript.call("RocksDB.dropColumnFamily(ColumnFamilyHandle)", () -> {
                        world.database.dropColumnFamily(family);
                        world.families.remove(family);
                        family.close();
                        return null;
                    });
                    batches.renew(random);
                }
            }
            case 1 -> {
                ColumnFamilyDescriptor one = world.descriptor(name);
                transcript.call("RocksDB.createColumnFamilies(List)", name, () -> {
                    List<ColumnFamilyHandle> made = world.database.createColumnFamilies(List.of(one));
                    world.families.addAll(made);
                    return made;
                }, () -> "");
            }
            case 2 -> transcript.call("RocksDB.createColumnFamilies(ColumnFamilyOptions, List)", () -> {
                try (ColumnFamilyOptions options = DifferentialWorld.withoutBackgroundWork(new ColumnFamilyOptions())) {
                    List<ColumnFamilyHandle> made = world.database.createColumnFamilies(options,
                            List.of("plain".getBytes(StandardCharsets.UTF_8)));
                    world.families.addAll(made);
                    return made;
                }
            });
            default -> {
                ColumnFamilyDescriptor one = world.descriptor(name);
                transcript.call("RocksDB.createColumnFamily(ColumnFamilyDescriptor)", name, () -> {
                    ColumnFamilyHandle made = world.database.createColumnFamily(one);
                    world.families.add(made);
                    return made;
                }, () -> "");
            }
        }
    }

    private void closeIterators() {
        world.iterators.forEach(RocksObject::close);
        world.iterators.clear();
    }

    private static final List<Method> CHANGES = methods(Transaction.class,
            "put|merge|delete|singleDelete|putUntracked|mergeUntracked|deleteUntracked|putLogData");
    private static final List<Method> READS = methods(Transaction.class,
            "get|getForUpdate|multiGet|multiGetAsList|multiGetForUpdate|multiGetForUpdateAsList");
    private static final List<Method> OTHERS = methods(Transaction.class,
            "setSnapshot|clearSnapshot|setSavePoint|rollbackToSavePoint|disableIndexing|enableIndexing|getNumKeys|"
                    + "getNumPuts|getNumDeletes|getNumMerges|undoGetForUpdate|getState|isDeadlockDetect|getName");
    private static final List<Method> ITERATORS = methods(Transaction.class, "getIterator");
    private static final List<Method> ENDS = methods(Transaction.class, "commit|rollback");

    private void transaction(Random random) throws Exception {
        if (world.transaction == null) {
            if (world.database instanceof TransactionDB || world.database instanceof OptimisticTransactionDB) {
                begin(random);
            }
            return;
        }
        switch (random.nextInt(14)) {
            case 0 -> {
                // They read the transaction's writes.
                closeIterators();
                call(world, Transaction.class, ENDS, world.transaction, random);
                if (random.nextInt(4) > 0) {
                    world.transaction.close();
                    world.transaction = null;
                }
            }
            case 1 -> {
                if (call(world, Transaction.class, ITERATORS, world.transaction,
                        random) instanceof RocksIterator made) {
                    // Only as long as nothing is written to the transaction.
                    try (made) {
                        walk(world, made, RocksIterator.class, LOOKS, random);
                    }
                }
            }
            case 2, 3 -> call(world, Transaction.class, OTHERS, world.transaction, random);
            case 4, 5, 6, 7 -> call(world, Transaction.class, READS, world.transaction, random);
            default -> call(world, Transaction.class, CHANGES, world.transaction, random);
        }
    }

    private void begin(Random random) {
        boolean snapshot = random.nextBoolean();
        world.indexingWasDisabled = false;
        transcript.call("begin " + world.form, () -> {
            try (WriteOptions write = new WriteOptions()) {
                if (world.database instanceof TransactionDB db) {
                    try (TransactionOptions options = new TransactionOptions().setSetSnapshot(snapshot)) {
                        world.transaction = db.beginTransaction(write, options);
                    }
                } else if (world.database instanceof OptimisticTransactionDB db) {
                    try (OptimisticTransactionOptions options = new OptimisticTransactionOptions()
                            .setSetSnapshot(snapshot)) {
                        world.transaction = db.beginTransaction(write, options);
                    }
                }
            }
            return world.transaction != null;
        });
    }

    private void reopen(Random random) throws Exception {
        DifferentialWorld.Form[] forms = DifferentialWorld.Form.values();
        boolean writable = random.nextInt(2) == 0;
        world.close();
        world.open(writable ? DifferentialWorld.Form.FAMILIES : forms[random.nextInt(forms.length)], random);
    }
}
