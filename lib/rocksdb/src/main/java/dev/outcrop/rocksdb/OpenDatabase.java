package dev.outcrop.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.memory.StackCheck;
import dev.outcrop.rocksdb.DatabaseKind.TimeToLive;
import dev.outcrop.rocksdb.DatabaseOpener.OpenedHandles;
import dev.outcrop.rocksdb.engine.DatabaseChild;
import dev.outcrop.rocksdb.engine.DatabaseHandle;
import dev.outcrop.rocksdb.engine.DatabaseRegistry;
import dev.outcrop.rocksdb.engine.FollowedPrimary;
import dev.outcrop.rocksdb.engine.NativeCheckpoints;
import dev.outcrop.rocksdb.engine.NativeDatabase;
import dev.outcrop.rocksdb.engine.NativeDbOptions;
import dev.outcrop.rocksdb.engine.NativeFamilies;
import dev.outcrop.rocksdb.engine.NativeText;
import dev.outcrop.rocksdb.engine.OptionValues;
import dev.outcrop.rocksdb.engine.WriteStalls;
import dev.outcrop.rocksdb.engine.batch.ClassPreloading;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import dev.outcrop.rocksdb.engine.callbacks.CallbackGuard;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The state of an open database: its native handles, its column families and its lifetime. */
final class OpenDatabase extends DatabaseHandle implements NativeDatabase.Closed {
    /** The default share of the block cache that may be pinned; {@code docs/pins.md} has the measurements behind it. */
    private static final long PINNED_SHARE = 4;
    /** The default budget without a block cache: pins take no room from others there, only memory. */
    static final long PIN_BUDGET_WITHOUT_CACHE = 256L << 20;
    private static final Runnable NOTHING = OpenDatabase::doNothing;
    private static final Consumer<ColumnFamily> REQUIRE_OUTSIDE = OpenDatabase::requireOutside;
    private static final Consumer<ColumnFamily> FREE_HANDLE = OpenDatabase::freeHandle;

    private static volatile boolean isPreloaded;

    final Path path;
    /** Its present options; replaced, never changed. */
    volatile Options options;
    /** Held while options of the database or of a family are changed. */
    final Object changing = new Object();
    /** The statistics of the database, or null. */
    final @Nullable Statistics statistics;
    /** The number of bytes of values that may be pinned. */
    final long pinBudget;
    final BackgroundWork work;
    final Tracing tracing = new Tracing(this);
    private final OpenedHandles opened;
    /** A list that can be walked through without new objects, because closing must work when memory has run out. */
    private final List<ColumnFamily> families = new CopyOnWriteArrayList<>();
    private final Runnable closeFamilies = this::closeFamilies;
    private final Runnable endStalls = this::endStalls;
    private final Consumer<ColumnFamily> endStall = this::endStall;
    private final Consumer<ColumnFamily> closeFamily = this::closeFamily;
    private final @Nullable WriteBufferManager writeBufferManager;
    private final WriteStalls stalls = new WriteStalls();

    OpenDatabase(Object owner, Path path, OpenedHandles opened) {
        long budget = pinBudget(opened);
        super(owner, opened.db(), "database " + path,
                new NativeDatabase(opened.db(), opened.kind().isWritable(), opened::close, opened.veto()), budget);
        this.opened = opened;
        this.path = path;
        this.options = opened.options().copy();
        this.work = new BackgroundWork(this, options);
        this.statistics = Statistics.of(options);
        this.writeBufferManager = options.writeBufferManager();
        this.pinBudget = budget;
        keep(options);
        try (Scratch scratch = lifetime.enter()) {
            opened.families().forEach((family, handle) -> add(scratch, family, handle, opened.options(family)));
        }
        // Last: the caller closes the database if anything failed.
        open.register();
        DatabaseRegistry.add(this);
        opened.order().close();
    }

    /** Preloads the classes that databases of all kinds need, see {@link ClassPreloading}. */
    static void preload() {
        if (isPreloaded) {
            return;
        }
        ClassPreloading.databases();
        ClassPreloading.initialize(MethodHandles.lookup(), ApiCall.class, MultiGetValues.class, Status.class,
                Status.Code.class, Status.SubCode.class, RocksDBException.class, LockMode.class, KeyRange.class,
                BackgroundWork.class, DatabaseDirectory.class, OptionChecks.class, WalIterator.class,
                BackupEngine.class, Tracing.class, Property.class);
        WriteBatch batch = new WriteBatch();
        batch.put(new byte[0], new byte[0]);
        MemorySegment _ = batch.data();
        isPreloaded = true;
    }

    private static long pinBudget(OpenedHandles opened) {
        long asked = opened.options().pinBudget();
        if (asked != Options.DEFAULT_PIN_BUDGET) {
            return asked;
        }
        long family = Objects.requireNonNull(opened.families().get(DatabaseDirectory.DEFAULT_FAMILY));
        try (Scratch scratch = ApiCall.scratch()) {
            Long capacity = NativeFamilies.intProperty(scratch, opened.db(), family,
                    ApiCall.in(scratch, Property.BLOCK_CACHE_CAPACITY));
            return capacity == null || capacity == 0 ? PIN_BUDGET_WITHOUT_CACHE : capacity / PINNED_SHARE;
        }
    }

    private void keep(Options used) {
        open.keep(used.kept());
        guard.add(used.kept());
    }

    /** Adds a family and leases the database for it. The handle stays the caller's if this fails. */
    ColumnFamily add(Scratch entered, String family, long handle, Options familyOptions) {
        lifetime.lease(entered, DatabaseChild.COLUMN_FAMILY);
        try {
            keep(familyOptions);
            ColumnFamily added = new ColumnFamily(new Family(this, handle, family, familyOptions));
            families.add(added);
            return added;
        } catch (Throwable e) {
            // Out of memory: no family's end would give the lease back, and the database would never be closed.
            lifetime.release(DatabaseChild.COLUMN_FAMILY);
            throw e;
        }
    }

    @Nullable
    ColumnFamily family(String family) {
        Objects.requireNonNull(family, "name");
        for (ColumnFamily each : families) {
            if (each.name().equals(family)) {
                return each;
            }
        }
        return null;
    }

    ColumnFamily requireFamily(String family) {
        ColumnFamily found = family(family);
        if (found == null) {
            throw new IllegalArgumentException(NativeText.shown("The " + name + " has no column family \"" + family
                    + "\"; it has "
                    + families.stream().map(each -> "\"" + each.name() + "\"").collect(Collectors.joining(", "))));
        }
        return found;
    }

    ColumnFamily defaultFamily() {
        return Objects.requireNonNull(family(DatabaseDirectory.DEFAULT_FAMILY));
    }

    List<ColumnFamily> families() {
        List<ColumnFamily> all = new ArrayList<>(families);
        all.sort((a, b) -> Integer.compare(a.id(), b.id()));
        return all;
    }

    /**
     * Returns the state of a caller's family. Refuses a family of another database, which RocksDB would read as something that it is not.
     */
    Family own(ColumnFamily columnFamily) {
        Family family = columnFamily.family();
        if (family.database != this) {
            throw new IllegalArgumentException("The " + family + " does not belong to the " + this);
        }
        return family;
    }

    ColumnFamily create(String name, Options options) {
        long nativeOptions = options.copyNative();
        try (Scratch scratch = enterForAdmin()) {
            MemorySegment text = OptionValues.text("A column family's name", name, scratch);
            requireWritable("changed");
            OptionChecks.requireToCreate("Cannot create the column family " + name, options);
            long handle = kind().createColumnFamily(db, nativeOptions, text, ApiCall.error(scratch));
            ApiCall.requireDone(scratch, "Cannot create the column family " + name);
            return CallbackFailures.rethrowAfter(() -> adopt(scratch, name, handle, options));
        } finally {
            NativeDbOptions.destroy(nativeOptions);
        }
    }

    List<ColumnFamily> create(List<String> names, Options options) {
        List<String> all = List.copyOf(names);
        if (!kind().equals(DatabaseKind.PLAIN)) {
            // RocksDB would create them without locks of keys or times to live.
            return all.stream().map(name -> create(name, options)).toList();
        }
        long nativeOptions = options.copyNative();
        try (Scratch scratch = enterForAdmin()) {
            MemorySegment array = OptionValues.array(scratch, "A column family's name", all);
            requireWritable("changed");
            OptionChecks.requireToCreate("Cannot create the column families " + String.join(", ", all), options);
            if (all.isEmpty()) {
                return List.of();
            }
            scratch.setWord(1, 0);
            long handles = CApi.rocksdb_create_column_families(db, nativeOptions, all.size(), array.address(),
                    scratch.wordAddress(1), ApiCall.error(scratch));
            long count = scratch.word(1);
            Status failure = ApiCall.status(scratch);
            // If one fails, the families before it exist.
            List<ColumnFamily> created = CallbackFailures
                    .rethrowAfter(() -> adopt(scratch, all, handles, count, options));
            if (failure != null) {
                throw new RocksDBException(failure,
                        "Created " + count + " of " + all.size() + " column families: " + failure);
            }
            return created;
        } finally {
            NativeDbOptions.destroy(nativeOptions);
        }
    }

    private List<ColumnFamily> adopt(Scratch scratch, List<String> names, long handles, long count, Options options) {
        List<ColumnFamily> created = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long handle = NativeCalls.view(handles, count * Long.BYTES).getAtIndex(ValueLayout.JAVA_LONG, i);
            created.add(adopt(scratch, names.get(i), handle, options));
        }
        CApi.rocksdb_create_column_families_destroy(handles);
        return List.copyOf(created);
    }

    /** Adds a new family, or frees its handle if that fails. */
    ColumnFamily adopt(Scratch scratch, String name, long handle, Options options) {
        try {
            return add(scratch, name, handle, options);
        } catch (Throwable e) {
            NativeFamilies.close(handle);
            throw e;
        }
    }

    void drop(ColumnFamily dropped) {
        Family own = own(dropped);
        try (Scratch _ = own.enterForAdmin()) {
            requireWritable("changed");
            if (own.isDefault()) {
                throw RocksDBException.of(Status.Code.INVALID_ARGUMENT, "The default column family"
                        + " of the " + this + " cannot be dropped; delete its entries instead, or the whole database"
                        + " with RocksDB.destroy");
            }
        }
        drop(own);
    }

    boolean hasTtl() {
        return kind().hasTimes();
    }

    ColumnFamily createWithTtl(String name, Options options, Duration ttl) {
        int seconds = TimeToLive.seconds(ttl);
        long nativeOptions = options.copyNative();
        try (Scratch scratch = enterForAdmin()) {
            MemorySegment text = OptionValues.text("A column family's name", name, scratch);
            if (!kind().hasTimes()) {
                throw RocksDBException.of(Status.Code.NOT_SUPPORTED,
                        "The " + this + " was not opened with openWithTtl");
            }
            OptionChecks.requireToCreate("Cannot create the column family " + name, options);
            if (family(name) != null) {
                throw RocksDBException.of(Status.Code.INVALID_ARGUMENT,
                        "Cannot create the column family " + name + ": there is one already");
            }
            long handle = NativeFamilies.create(scratch, db, nativeOptions, text, seconds);
            ApiCall.requireDone(scratch, "Cannot create the column family " + name);
            return CallbackFailures.rethrowAfter(() -> adopt(scratch, name, handle, options));
        } finally {
            NativeDbOptions.destroy(nativeOptions);
        }
    }

    /**
     * Drops a family that is not the default one, and frees its handle with the last of its iterators. First it is closed for calls: a
     * write to a family that has just been dropped would be logged, then fail, and RocksDB would refuse all writes until the database is
     * opened again.
     */
    synchronized void drop(Family family) {
        try (Scratch scratch = family.enter()) {
            family.lifetime.lease(scratch);
        }
        try {
            family.lifetime.close("was dropped", () -> endStallsUnderDrop(family));
            try (Scratch scratch = lifetime.enter()) {
                NativeFamilies.drop(scratch, db, family.handle);
                ApiCall.check(scratch, "Cannot drop the " + family
                        + ", which cannot be used before the database is opened again");
            }
            // From now on, a thread that closes the database does not use the handle.
            synchronized (stalls) {
                families.removeIf(each -> each.family() == family);
                stalls.forget(family.handle);
                family.setDropped();
            }
        } finally {
            endDrop(family);
        }
    }

    private void endDrop(Family family) {
        try {
            // A thread that closes the database needs the stalls to be ended, and restores the options itself.
            if (!lifetime.isClosed()) {
                stalls.restore(db, family.handle);
            }
        } finally {
            family.lifetime.release();
        }
    }

    /** The kind of database. */
    DatabaseKind kind() {
        return opened.kind();
    }

    /** A writer to a family, of the kind that this kind of database needs. */
    KeyValueWriter writer(Family family, WriteOptions writeOptions) {
        return opened.kind().writer(family, writeOptions);
    }

    /** The family with an id, or null if there is none. */
    @Nullable
    Family family(int id) {
        for (ColumnFamily family : families) {
            if (family.id() == id) {
                return family.family();
            }
        }
        return null;
    }

    /** Refuses changes of a database that was opened for reading: RocksDB would make some of them. */
    void requireWritable(String change) {
        if (!opened.kind().isWritable()) {
            throw RocksDBException.of(Status.Code.NOT_SUPPORTED,
                    "The " + this + " was opened for reading and cannot be " + change);
        }
    }

    /** Refuses values from elsewhere in a database that expects a time at the end of each value. */
    void requireNoTimes(String what) {
        if (opened.kind().hasTimes()) {
            throw RocksDBException.of(Status.Code.NOT_SUPPORTED, "The " + this
                    + " was opened with a time to live, and " + what + " would bring values without a time into it");
        }
    }

    void tryCatchUpWithPrimary() {
        try (Scratch _ = enterForAdmin()) {
            FollowedPrimary primary = kind().followed();
            if (primary == null) {
                throw RocksDBException.of(Status.Code.NOT_SUPPORTED,
                        "The " + this + " was not opened with openSecondary, and has nothing to catch up with");
            }
            // The primary may have got a merge operator meanwhile; it stored that before it merged anything.
            MergeGuard.requireOperators(path, name -> {
                ColumnFamily known = family(name);
                return known == null
                        ? new Options().mergeOperator(MergeOperator.STRING_APPEND)
                        : known.family().options;
            });
            CallbackFailures.forget();
            ApiCall.checkCalls(primary.catchUp(db));
        }
    }

    /** Passes a {@code rocksdb_checkpoint_t *} of the database to a call. */
    void withCheckpoint(Scratch scratch, LongConsumer use) {
        long checkpoint = opened.kind().createCheckpoint(db, ApiCall.error(scratch));
        ApiCall.check(scratch, "Cannot read the state of the " + this, checkpoint, NativeCheckpoints::close);
        try {
            use.accept(checkpoint);
        } finally {
            NativeCheckpoints.close(checkpoint);
        }
    }

    @Override
    public String directory() {
        return path.toString();
    }

    @Override
    public boolean isInUseByCaller() {
        return lifetime.isEnteredByCaller()
                || families.stream().anyMatch(each -> each.family().lifetime.isEnteredByCaller());
    }

    void close() {
        // The families are closed one by one, and none may stay half closed.
        StackCheck.require(CallbackGuard.WORKING);
        families.forEach(REQUIRE_OUTSIDE);
        lifetime.requireOutside();
        work.resumeAll();
        lifetime.close(endStalls, closeFamilies);
    }

    private void closeFamilies() {
        open.closing(this);
        families.forEach(closeFamily);
        finishStalls();
    }

    /** Lets calls continue that wait for memory or for compactions: they would keep the database from closing. */
    private void endStalls() {
        WriteBufferManager manager = writeBufferManager;
        if (manager != null) {
            manager.endStall();
        }
        // A change of options sorts the list of files, which a comparator in Java must not do at this time: it may fail.
        if (opened.kind().isWritable() && !open.isOrderedInJava()) {
            // A thread that drops a family frees its handle.
            synchronized (stalls) {
                families.forEach(endStall);
            }
        }
    }

    private void endStall(ColumnFamily family) {
        endStall(family.family());
    }

    private void endStall(Family family) {
        stalls.end(db, family.handle, family::stallLimits);
    }

    /** A thread that drops a family waits for the running calls of the family. */
    private void endStallsUnderDrop(Family family) {
        if (lifetime.isClosed()) {
            endStalls();
        } else if (!open.isOrderedInJava()) {
            endStall(family);
        }
    }

    private void closeFamily(ColumnFamily family) {
        family.family().lifetime.close(endStalls, NOTHING);
    }

    /** Synchronized to wait for a thread that drops a family: the family may still have running calls. */
    private synchronized void finishStalls() {
        try {
            // RocksDB flushes unlogged data when it closes, and that flush may wait too.
            endStalls();
        } catch (VirtualMachineError e) {
            // Without a stall, closing does not need this.
        }
        try {
            stalls.finish(db);
        } catch (VirtualMachineError e) {
            // The file of options says that there are no automatic compactions.
        }
    }

    private static void doNothing() {
        // A family has no children to close.
    }

    private static void requireOutside(ColumnFamily family) {
        family.family().lifetime.requireOutside();
    }

    private static void freeHandle(ColumnFamily family) {
        NativeFamilies.close(family.family().handle);
    }

    @Override
    protected void free() {
        families.forEach(FREE_HANDLE);
        open.close();
        tracing.record(null);
    }

    @Override
    public Path path() {
        return path;
    }

    @Override
    public String children() {
        return DatabaseChild.open(lifetime, families.stream().map(each -> each.family().lifetime).toList());
    }
}
