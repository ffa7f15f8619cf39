package dev.outcrop.rocksdb;

import dev.outcrop.memory.Headroom;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.DatabaseChild;
import dev.outcrop.rocksdb.engine.DatabaseHandle;
import dev.outcrop.rocksdb.engine.NativeDatabase;
import dev.outcrop.rocksdb.engine.NativeFamilies;
import dev.outcrop.rocksdb.engine.NativeText;
import dev.outcrop.rocksdb.engine.callbacks.CallbackGuard;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** An open database: its native handles, its column families, and its lifetime. */
final class Store extends DatabaseHandle implements NativeDatabase.Closed {
    private static final Runnable NOTHING = Store::doNothing;
    private static final Consumer<ColumnFamily> REQUIRE_OUTSIDE = Store::requireOutside;

    final Path path;
    final Options options;
    /** What the database counts into, or null. */
    final @Nullable Statistics statistics;
    /** How many bytes of values may be pinned. */
    final long pinBudget;
    final BackgroundWork work = new BackgroundWork(this);
    final Tracing tracing = new Tracing(this);
    final ForcedFlushes forcedFlushes;
    private final OpenedHandles opened;
    /** A list that can be walked through without new objects, because closing must work when memory has run out. */
    private final List<ColumnFamily> families = new CopyOnWriteArrayList<>();
    private final Runnable closeFamilies = this::closeFamilies;
    private final Runnable endStall = this::endStall;
    private final Runnable endStallIfClosed = this::endStallIfClosed;
    private final Consumer<ColumnFamily> closeFamily = this::closeFamily;
    private final @Nullable WriteBufferManager writeBufferManager;

    Store(Object owner, Path path, OpenedHandles opened) {
        long budget = PinBudget.of(opened);
        super(owner, opened.db(), "database " + path,
                new NativeDatabase(opened.db(), opened.kind().isWritable(), opened.kind()::close), budget);
        this.opened = opened;
        this.path = path;
        this.options = opened.options();
        this.forcedFlushes = new ForcedFlushes(options);
        this.statistics = Statistics.of(options);
        this.writeBufferManager = options.writeBufferManager();
        this.pinBudget = budget;
        keep(options);
        try (Scratch scratch = lifetime.enter()) {
            opened.families().forEach((family, handle) -> add(scratch, family, handle, opened.options(family)));
        }
        // Last: the caller closes the database if anything failed.
        open.register();
        opened.order().close();
    }

    private void keep(Options used) {
        open.keep(used.kept());
        guard.add(used.kept());
    }

    /** Makes a family's Java half; the store's lease for it is taken here. The handle stays the caller's if this fails. */
    ColumnFamily add(Scratch entered, String family, long handle, Options familyOptions) {
        lifetime.lease(entered, DatabaseChild.COLUMN_FAMILY);
        try {
            keep(familyOptions);
            ColumnFamily added = new ColumnFamily(new Family(this, handle, family, familyOptions));
            families.add(added);
            return added;
        } catch (Throwable e) {
            // Out of memory: no family's end would give it back, and the database would never be closed.
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
        return Objects.requireNonNull(family(DatabaseOpener.DEFAULT_FAMILY));
    }

    List<ColumnFamily> families() {
        List<ColumnFamily> all = new ArrayList<>(families);
        all.sort((a, b) -> Integer.compare(a.id(), b.id()));
        return all;
    }

    /** The family that a caller gave; one of another database would be read as something that it is not. */
    Family own(ColumnFamily columnFamily) {
        Family family = columnFamily.family();
        if (family.store != this) {
            throw new IllegalArgumentException("The " + family + " does not belong to the " + this);
        }
        return family;
    }

    /**
     * Drops a family that is not the default one, whose handle goes with the last of its iterators. First no call may use it any more: a
     * write to a family that has just been dropped would be logged, then fail, and RocksDB would refuse all writes until it is opened
     * again.
     */
    synchronized void drop(Family family) {
        try (Scratch scratch = family.enter()) {
            family.lifetime.lease(scratch);
        }
        try {
            family.lifetime.close("was dropped", endStallIfClosed);
            try (Scratch scratch = lifetime.enter()) {
                NativeFamilies.drop(scratch, db, family.handle);
                Native.check(scratch, "Cannot drop the " + family
                        + ", which cannot be used before the database is opened again");
            }
            families.removeIf(each -> each.family() == family);
        } finally {
            family.lifetime.release();
        }
    }

    /** What kind of database it is. */
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

    /** Refuses what would change files under a database that was opened for reading: RocksDB would do some of it. */
    void requireWritable(String change) {
        if (!opened.kind().isWritable()) {
            throw RocksDBException.of(Status.Code.NOT_SUPPORTED, Status.SubCode.NONE,
                    "The " + this + " was opened for reading and cannot be " + change);
        }
    }

    /** Refuses values from elsewhere in a database that expects a time at the end of each. */
    void requireNoTimes(String what) {
        if (opened.kind().hasTimes()) {
            throw RocksDBException.of(Status.Code.NOT_SUPPORTED, Status.SubCode.NONE, "The " + this
                    + " was opened with a time to live, and " + what + " would bring values without a time into it");
        }
    }

    @Override
    public boolean isInUseByCaller() {
        return lifetime.isEnteredByCaller()
                || families.stream().anyMatch(each -> each.family().lifetime.isEnteredByCaller());
    }

    void close() {
        // The families are closed one by one, and none may be left half-way.
        Headroom.require(CallbackGuard.WORKING);
        families.forEach(REQUIRE_OUTSIDE);
        lifetime.requireOutside();
        work.resumeAll();
        lifetime.close(endStall, closeFamilies);
    }

    private void closeFamilies() {
        open.closing(this);
        families.forEach(closeFamily);
    }

    /** Writes that wait for memory would keep the database from closing, and its users from freeing that. */
    private void endStall() {
        WriteBufferManager manager = writeBufferManager;
        if (manager != null) {
            manager.endStall();
        }
    }

    /** Who drops a family waits for its writes in place of who closes the database. */
    private void endStallIfClosed() {
        if (lifetime.isClosed()) {
            endStall();
        }
    }

    private void closeFamily(ColumnFamily family) {
        family.family().lifetime.close(endStall, NOTHING);
    }

    private static void doNothing() {
        // A family has no parts.
    }

    private static void requireOutside(ColumnFamily family) {
        family.family().lifetime.requireOutside();
    }

    @Override
    protected void free() {
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
