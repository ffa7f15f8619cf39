package org.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Upcall;
import dev.outcrop.rocksdb.engine.NativeComparator;
import dev.outcrop.rocksdb.engine.NativeObject;
import dev.outcrop.rocksdb.engine.callbacks.CallbackKind;
import dev.outcrop.rocksdb.engine.callbacks.Callbacks;
import dev.outcrop.rocksdb.engine.callbacks.CheckedComparator;
import dev.outcrop.rocksdb.engine.callbacks.ComparatorWatchdog;
import dev.outcrop.rocksdb.engine.callbacks.RunningCallbacks;
import dev.outcrop.rocksdb.engine.callbacks.UserComparator;
import dev.outcrop.rocksdb.engine.capi.CCallbacks;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;

/**
 * A native comparator that calls a Java comparator. Options and databases point to it and keep this object reachable. It is freed when this
 * object becomes unreachable. Exceptions of the Java comparator are logged. {@link CheckedComparator} describes the result that RocksDB
 * gets, and {@link ComparatorMonitor} the effect on the database.
 */
final class ComparatorCallback implements Upcall {

    private static final MemorySegment COMPARE = Callbacks.stub(MethodHandles.lookup(), "compare", "compareBytes",
            CCallbacks.ROCKSDB_COMPARATOR_CREATE_COMPARE);

    final CheckedComparator checked;
    private final NativeObject owned;

    ComparatorCallback(AbstractComparator comparator, String name, boolean direct) {
        ComparatorWatchdog.start();
        UserComparator order = direct ? new DirectOrder(comparator) : new HeapOrder(comparator);
        checked = new CheckedComparator(order, comparator, name, 0, CheckedComparator.Trust.UNTIL_A_CHANGE_FAILS);
        long id = Callbacks.register(checked, comparator, CallbackKind.COMPARATOR, name);
        owned = new NativeObject(this, NativeComparator.create(id, COMPARE), NativeComparator::destroy);
    }

    long address() {
        return owned.address();
    }

    @SuppressWarnings("unused") // through a function pointer
    static int compare(RunningCallbacks running, long id, long a, long aLength, long b, long bLength) {
        CheckedComparator checked = (CheckedComparator) Callbacks.of(id).target;
        AbstractComparator comparator = (AbstractComparator) checked.owner;
        boolean isDue = checked.isDue(running);
        KeyBuffers buffers = isDue || !comparator.usingDirectBuffers() ? null : KeyBuffers.take(aLength, bLength);
        if (buffers != null) {
            try {
                return buffers.compare(comparator, a, aLength, b, bLength);
            } catch (Throwable e) {
                return checked.failedKeys(running, id, NativeCalls.view(a, aLength), NativeCalls.view(b, bLength), e);
            }
        }
        // User code never gets these segments.
        MemorySegment first = NativeCalls.view(a, aLength);
        MemorySegment second = NativeCalls.view(b, bLength);
        return isDue
                ? checked.checkedKeys(running, id, first, second)
                : checked.keys(running, id, first, second);
    }

    /** Passes long keys, and keys of checks, without copying them. */
    private record DirectOrder(AbstractComparator comparator) implements UserComparator {
        @Override
        public int compare(MemorySegment a, MemorySegment b) {
            // The buffers end with the arena, in case a thread keeps them.
            try (Arena call = Arena.ofConfined()) {
                return comparator.compare(NativeCalls.readOnlyView(a.address(), a.byteSize(), call).asByteBuffer(),
                        NativeCalls.readOnlyView(b.address(), b.byteSize(), call).asByteBuffer());
            } finally {
                Reference.reachabilityFence(a);
                Reference.reachabilityFence(b);
            }
        }

        @Override
        public int compareTimestamps(MemorySegment a, MemorySegment b) {
            throw noTimestamps();
        }
    }

    /** Passes copies of the keys in arrays. */
    private record HeapOrder(AbstractComparator comparator) implements UserComparator {
        @Override
        public int compare(MemorySegment a, MemorySegment b) {
            return comparator.compare(ByteBuffer.wrap(a.toArray(ValueLayout.JAVA_BYTE)),
                    ByteBuffer.wrap(b.toArray(ValueLayout.JAVA_BYTE)));
        }

        @Override
        public int compareTimestamps(MemorySegment a, MemorySegment b) {
            throw noTimestamps();
        }
    }

    private static IllegalStateException noTimestamps() {
        return new IllegalStateException("These comparators have no timestamps");
    }
}
