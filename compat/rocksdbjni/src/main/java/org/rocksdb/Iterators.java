package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.IdleIterator;
import dev.outcrop.rocksdb.engine.IdleIterators;
import dev.outcrop.rocksdb.engine.NativeIterator;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Makes iterators of databases. */
final class Iterators {

    private Iterators() {
    }

    static RocksIterator newIterator(RocksDB database) {
        return open(database, null);
    }

    static RocksIterator newIterator(RocksDB database, ReadOptions options) {
        return open(database, null, Objects.requireNonNull(options, "readOptions"));
    }

    static RocksIterator newIterator(RocksDB database, ColumnFamilyHandle family) {
        return open(database, Objects.requireNonNull(family, "columnFamilyHandle"));
    }

    static RocksIterator newIterator(RocksDB database, ColumnFamilyHandle family, ReadOptions options) {
        return open(database, Objects.requireNonNull(family, "columnFamilyHandle"),
                Objects.requireNonNull(options, "readOptions"));
    }

    /** Opens an iterator without options. It may use an idle native iterator. */
    private static RocksIterator open(RocksDB database, ColumnFamilyHandle given) {
        try (Scratch scratch = database.use()) {
            ColumnFamilyHandle family = given == null ? database.state_.defaultFamily() : given;
            long in = family.in(database);
            IdleIterators.OfFamily home = database.state_.idleIterators(family);
            IdleIterator idle = home == null ? null : upToDate(scratch, home.take());
            if (idle == null) {
                idle = new IdleIterator(
                        NativeIterator.create(database.nativeHandle_, database.state_.readOptions, in));
            }
            try {
                RocksIterator iterator = new RocksIterator(database, idle.iterator());
                iterator.guard.setHome(home, idle);
                keep(iterator, null, null, null);
                return iterator;
            } catch (Throwable e) {
                // Out of memory.
                NativeIterator.destroy(idle.iterator());
                throw e;
            }
        }
    }

    /** Refreshes an idle iterator, so that it sees the same as a new iterator. If this fails, frees it and returns null. */
    private static IdleIterator upToDate(Scratch scratch, IdleIterator idle) {
        if (idle == null) {
            return null;
        }
        NativeIterator.refresh(idle.iterator(), Errors.place(scratch));
        if (scratch.word(0) == 0) {
            return idle;
        }
        Errors.forget(scratch);
        NativeIterator.destroy(idle.iterator());
        return null;
    }

    private static RocksIterator open(RocksDB database, ColumnFamilyHandle family, ReadOptions options) {
        try (Scratch _ = database.use();
                Scratch used = Reads.use(options);
                Scratch _ = Reads.useSnapshot(database, options)) {
            long in = Reads.family(database, family);
            while (true) {
                if (options.state_.tailsSnapshot(database)) {
                    try (ReadOptions present = options.state_.withoutSnapshot()) {
                        return open(database, family, present);
                    }
                }
                NativeSlice[] held = options.state_.hold();
                long handle = NativeIterator.create(database.nativeHandle_,
                        Reads.options(database, options), in);
                if (options.state_.areSame(held) && !options.state_.tailsSnapshot(database)) {
                    return made(database, handle, options, used, held);
                }
                // Another thread has changed the options meanwhile.
                NativeIterator.destroy(handle);
                ReadOptionsState.release(held);
            }
        }
    }

    private static RocksIterator made(RocksDB database, long handle, ReadOptions options, Scratch used,
            NativeSlice[] held) {
        RocksIterator iterator = new RocksIterator(database, handle);
        keep(iterator, options, used, held);
        return iterator;
    }

    /** Keeps the objects from which an iterator was made: options that are entered, and slices that are held. */
    static void keep(RocksIterator iterator, ReadOptions options, Scratch used, NativeSlice[] held) {
        if (options != null) {
            options.lease(used);
            iterator.callsJavaLike(options);
        }
        iterator.guard.keep(options, held);
        iterator.parent_.state_.add(iterator);
    }

    static List<RocksIterator> newIterators(RocksDB database, List<ColumnFamilyHandle> families)
            throws RocksDBException {
        return openAll(database, families, null);
    }

    static List<RocksIterator> newIterators(RocksDB database, List<ColumnFamilyHandle> families, ReadOptions options)
            throws RocksDBException {
        return openAll(database, families, Objects.requireNonNull(options, "readOptions"));
    }

    /** Opens iterators. All of them see the same state of the database. */
    private static List<RocksIterator> openAll(RocksDB database, List<ColumnFamilyHandle> families,
            ReadOptions options) throws RocksDBException {
        try (Scratch scratch = database.use();
                Scratch used = Reads.use(options);
                Scratch _ = Reads.useSnapshot(database, options)) {
            int count = families.size();
            MemorySegment in = NativeValues.words(scratch, count);
            MemorySegment handles = NativeValues.words(scratch, count);
            for (int i = 0; i < count; i++) {
                in.setAtIndex(ValueLayout.JAVA_LONG, i, families.get(i).in(database));
            }
            while (true) {
                if (options != null && options.state_.tailsSnapshot(database)) {
                    try (ReadOptions present = options.state_.withoutSnapshot()) {
                        return openAll(database, families, present);
                    }
                }
                NativeSlice[] held = options == null ? null : options.state_.hold();
                try {
                    NativeIterator.createAll(database.nativeHandle_, Reads.options(database, options),
                            in.address(), handles.address(), count, Errors.place(scratch));
                    Errors.check(scratch);
                } catch (RocksDBException e) {
                    if (held != null) {
                        ReadOptionsState.release(held);
                    }
                    throw e;
                }
                if (held == null || (options.state_.areSame(held) && !options.state_.tailsSnapshot(database))) {
                    List<RocksIterator> iterators = new ArrayList<>(count);
                    for (int i = 0; i < count; i++) {
                        iterators.add(made(database, handles.getAtIndex(ValueLayout.JAVA_LONG, i), options, used,
                                held == null ? null : ReadOptionsState.holdAgain(held)));
                    }
                    if (held != null) {
                        ReadOptionsState.release(held);
                    }
                    return iterators;
                }
                for (int i = 0; i < count; i++) {
                    NativeIterator.destroy(handles.getAtIndex(ValueLayout.JAVA_LONG, i));
                }
                ReadOptionsState.release(held);
            }
        }
    }
}
