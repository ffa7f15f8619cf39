package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Uninterrupted;
import dev.outcrop.rocksdb.engine.callbacks.NativeEnv;
import dev.outcrop.rocksdb.engine.callbacks.NativeHeap;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Pins known values of a database in memory, and compares the C API's answers with two words of each pin. The values are first in the
 * memtable, from which RocksDB copies them into the pin, then in the block cache, which the pin refers to.
 */
public final class PinLayoutProbe implements AutoCloseable {
    /** Some are so short that a {@code std::string} holds them within itself. */
    private static final int[] SIZES = {0, 7, 333, 4_099, 100_003};
    private static final String OPTIONS = "create_if_missing=true;stats_dump_period_sec=0;stats_persist_period_sec=0;"
            + "write_buffer_size=1048576;compression=kNoCompression;";

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment value = arena.allocate(SIZES[SIZES.length - 1]);
    private final MemorySegment error = arena.allocate(ValueLayout.JAVA_LONG);
    private final MemorySegment size = arena.allocate(ValueLayout.JAVA_LONG);
    private final long env = NativeEnv.inMemory();
    private final long options = NativeDbOptions.create();
    private final long writing = NativeReadOptions.newWriteOptions();
    private final long reading = NativeReadOptions.create();
    private final long flushing = NativeBackgroundWork.newFlushOptions();
    private long db;
    private long family;

    private PinLayoutProbe() {
    }

    /** Returns whether the two words at an offset in a pin are the address and the size of its value; false also if that is unknown. */
    // In a thread of its own, because RocksDB counts the reads of each thread.
    public static boolean confirms(int offset) {
        AtomicBoolean confirms = new AtomicBoolean();
        try {
            Thread thread = Thread.ofPlatform().daemon().inheritInheritableThreadLocals(false)
                    .name("outcrop-pin-layout").start(() -> confirms.set(confirmsHere(offset)));
            Uninterrupted.await(thread::join);
        } catch (OutOfMemoryError e) {
            return false;
        }
        return confirms.get();
    }

    // Whatever fails, memory and stack included: there is another way, and a class must not fail to be initialized.
    private static boolean confirmsHere(int offset) {
        try (PinLayoutProbe probe = new PinLayoutProbe()) {
            return probe.open() && probe.put() && probe.agrees(offset) && probe.flush() && probe.agrees(offset);
        } catch (Throwable e) {
            return false;
        }
    }

    private boolean open() {
        NativeDbOptions.parse(options, arena.allocateFrom(OPTIONS), options, error.address());
        if (!isDone()) {
            return false;
        }
        NativeDbOptions.setEnv(options, env);
        MemorySegment name = arena.allocateFrom(ValueLayout.JAVA_LONG, arena.allocateFrom("default").address());
        MemorySegment itsOptions = arena.allocateFrom(ValueLayout.JAVA_LONG, options);
        MemorySegment handle = arena.allocate(ValueLayout.JAVA_LONG);
        db = NativeOpening.open(options, arena.allocateFrom("/pins"), 1, name.address(),
                itsOptions.address(), handle.address(), error.address());
        family = handle.get(ValueLayout.JAVA_LONG, 0);
        return isDone();
    }

    private boolean put() {
        CApi.rocksdb_writeoptions_disable_WAL(writing, 1);
        for (int each : SIZES) {
            PointWrites.PUT.call(db, writing, family, key(each), Integer.BYTES, value, each, error.address());
            if (!isDone()) {
                return false;
            }
        }
        return true;
    }

    private boolean flush() {
        NativeBackgroundWork.flush(db, flushing, family, error.address());
        return isDone();
    }

    private boolean agrees(int offset) {
        for (int each : SIZES) {
            MemorySegment key = key(each);
            long handle = NativePins.handle(db, reading, family, key, key.byteSize(), error.address());
            long slice = NativePins.slice(db, reading, family, key, key.byteSize(), error.address());
            boolean agree = handle != 0 && slice != 0 && agrees(handle, handle + offset, each)
                    && agrees(slice | PinLayout.OF_TRANSACTION, slice + offset, each);
            NativePins.destroyHandle(handle);
            NativePins.destroySlice(slice);
            if (!isDone() || !agree) {
                return false;
            }
        }
        return true;
    }

    private boolean agrees(long pin, long words, long expected) {
        long address = ask(pin, size.address());
        return size.get(ValueLayout.JAVA_LONG, 0) == expected && NativeCalls.readLong(words) == address
                && NativeCalls.readLong(words + Long.BYTES) == expected;
    }

    /** Calls the function for a pin's type; returns the address and sets the size. */
    // Not a method of PinLayout, whose initialization waits for this thread.
    static long ask(long pin, long size) {
        return (pin & PinLayout.OF_TRANSACTION) == 0
                ? CApi.rocksdb_pinnable_handle_get_value(pin, size)
                : CApi.rocksdb_pinnableslice_value(pin - PinLayout.OF_TRANSACTION, size);
    }

    private MemorySegment key(int of) {
        return arena.allocateFrom(ValueLayout.JAVA_INT, of);
    }

    private boolean isDone() {
        long message = error.get(ValueLayout.JAVA_LONG, 0);
        NativeHeap.free(message);
        return message == 0;
    }

    @Override
    public void close() {
        if (db != 0) {
            NativeFamilies.close(family);
            NativeOpening.close(db);
        }
        NativeBackgroundWork.destroyFlushOptions(flushing);
        NativeReadOptions.destroy(reading);
        NativeReadOptions.destroyWriteOptions(writing);
        NativeDbOptions.destroy(options);
        NativeEnv.destroy(env);
        arena.close();
    }
}
