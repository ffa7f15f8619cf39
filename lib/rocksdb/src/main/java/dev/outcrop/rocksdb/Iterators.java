package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.memory.StackCheck;
import dev.outcrop.rocksdb.engine.DatabaseChild;
import dev.outcrop.rocksdb.engine.NativeIterator;
import dev.outcrop.rocksdb.engine.NativeReadOptions;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import dev.outcrop.rocksdb.engine.callbacks.CallbackGuard;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The iterators and scans of one reader: of a column family, read with one set of options. */
final class Iterators {
    private final Family family;
    private final ReadOptions options;
    /** The native options; they live as long as {@link #options} is reachable, see the fences. */
    private final long nativeOptions;
    /** The snapshot that the options name, or null to read the present state. */
    private final @Nullable Snapshot snapshot;
    private final Source source;

    /** Makes native iterators. */
    @FunctionalInterface
    interface Source {
        /** Makes one, with native read options; never 0. */
        long create(long nativeOptions);

        /** Returns the owner of the iterators that only one thread may use at a time, or null. */
        default KeyValueIterator.@Nullable Owner owner() {
            return null;
        }
    }

    Iterators(Family family, ReadOptions options, Source source) {
        this.family = family;
        this.options = options;
        this.nativeOptions = options.use(family.database);
        options.requireFor(family);
        this.snapshot = options.snapshot();
        this.source = source;
    }

    /** Returns the iterators of a column family outside of transactions. */
    static Iterators of(Family family, ReadOptions options) {
        return new Iterators(family, options,
                nativeOptions -> NativeIterator.create(family.database.db, nativeOptions, family.handle));
    }

    /**
     * Objects that must stay open as long as an iterator: the family, and the snapshot, which RocksDB may read again later
     * (auto_refresh_iterator_with_snapshot).
     */
    private record Parents(Family family, @Nullable Snapshot snapshot) {
        static Parents lease(Family family, @Nullable Snapshot snapshot) {
            leaseEach(family, snapshot);
            return new Parents(family, snapshot);
        }

        void release() {
            releaseEach(family, snapshot);
        }
    }

    private static void leaseEach(Family family, @Nullable Snapshot snapshot) {
        if (family.guard.isNeeded()) {
            family.guard.iterate();
        }
        try (Scratch entered = family.enter()) {
            if (snapshot != null) {
                try (Scratch enteredSnapshot = snapshot.enter()) {
                    snapshot.lease(enteredSnapshot);
                }
            }
            family.lifetime.lease(entered, DatabaseChild.ITERATOR);
        }
    }

    private static void releaseEach(Family family, @Nullable Snapshot snapshot) {
        if (snapshot != null) {
            snapshot.release();
        }
        family.lifetime.release(DatabaseChild.ITERATOR);
    }

    KeyValueIterator iterator() {
        StackCheck.require(CallbackGuard.MAKING);
        Parents parents = Parents.lease(family, snapshot);
        return iterator(nativeOptions, options, parents::release);
    }

    KeyValueIterator iterator(KeyRange range) {
        Objects.requireNonNull(range, "range");
        StackCheck.require(CallbackGuard.MAKING);
        Arena bounds = Arena.ofAuto();
        Parents parents = Parents.lease(family, snapshot);
        long rangeOptions;
        try {
            rangeOptions = RangeOptions.create(bounds, family, options, range);
        } catch (Throwable e) {
            parents.release();
            throw e;
        }
        return iterator(rangeOptions, List.of(options, bounds), () -> {
            NativeReadOptions.destroy(rangeOptions);
            parents.release();
        });
    }

    private KeyValueIterator iterator(long iteratorOptions, Object kept, Runnable release) {
        KeyValueIterator.Owner owner = source.owner();
        if (owner != null) {
            try {
                owner.enter();
            } catch (Throwable e) {
                release.run();
                throw e;
            }
        }
        long iterator = 0;
        try (Scratch scratch = ApiCall.scratchForCall()) {
            CallbackFailures.forget();
            iterator = source.create(iteratorOptions);
            NativeIterator.error(iterator, ApiCall.lateError(scratch));
            ApiCall.check(scratch);
            return new KeyValueIterator(family, iterator, kept, release, owner);
        } catch (Throwable e) {
            if (iterator != 0) {
                NativeIterator.destroy(iterator);
            }
            release.run();
            throw e;
        } finally {
            if (owner != null) {
                owner.exit();
            }
            Reference.reachabilityFence(kept);
        }
    }

    void scan(KeyRange range, ScanVisitor visitor) {
        Objects.requireNonNull(range, "range");
        Objects.requireNonNull(visitor, "visitor");
        // Enough stack for everything that is given back at the end, wherever the visitor ran out of stack.
        StackCheck.require(CallbackGuard.MAKING);
        if (source.owner() != null) {
            scanInTurns(range, visitor);
            return;
        }
        // Without an object for the leases: a short scan should leave no garbage.
        leaseEach(family, snapshot);
        try {
            Scan.run(family, options, source, range, visitor);
        } finally {
            releaseEach(family, snapshot);
        }
    }

    /** Runs a scan with a visitor that may change the scanned entries. */
    private void scanInTurns(KeyRange range, ScanVisitor visitor) {
        try (KeyValueIterator entries = iterator(range)) {
            boolean isThere = range.isReversed() ? entries.seekToLast() : entries.seekToFirst();
            while (isThere && visitor.visit(entries.key(), entries.value())) {
                isThere = range.isReversed() ? entries.previous() : entries.next();
            }
        }
    }

    /** Makes iterators over several families that see the same moment. */
    static List<KeyValueIterator> several(OpenDatabase database, List<Family> families, ReadOptions options) {
        long nativeOptions = options.use(database);
        families.forEach(options::requireFor);
        Snapshot snapshot = options.snapshot();
        int count = families.size();
        long[] iterators = new long[count];
        List<Parents> parents = new ArrayList<>(count);
        List<KeyValueIterator> made = new ArrayList<>(count);
        try (Scratch scratch = database.enter()) {
            MemorySegment handles = scratch.allocate(8L * count, 8);
            MemorySegment results = scratch.allocate(8L * count, 8);
            for (Family family : families) {
                handles.setAtIndex(ValueLayout.JAVA_LONG, parents.size(), family.handle);
                parents.add(Parents.lease(family, snapshot));
            }
            NativeIterator.createAll(database.db, nativeOptions, handles.address(), results.address(), count,
                    ApiCall.error(scratch));
            ApiCall.check(scratch);
            MemorySegment.copy(results, ValueLayout.JAVA_LONG, 0, iterators, 0, count);
            for (Parents each : parents) {
                made.add(new KeyValueIterator(each.family, iterators[made.size()], options,
                        each::release, null));
            }
            return List.copyOf(made);
        } catch (Throwable e) {
            made.forEach(KeyValueIterator::close);
            for (int i = made.size(); i < parents.size(); i++) {
                if (iterators[i] != 0) {
                    NativeIterator.destroy(iterators[i]);
                }
                parents.get(i).release();
            }
            throw e;
        } finally {
            Reference.reachabilityFence(options);
        }
    }
}
