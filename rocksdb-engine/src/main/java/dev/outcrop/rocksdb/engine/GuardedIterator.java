package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.ExclusiveLifetime;
import dev.outcrop.memory.NativeCalls;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A native iterator that one thread uses at a time, with copies of the key and the value that it is at.
 *
 * <p>Entering costs an atomic write. So a move copies the key and the value to Java arrays if they were read at the entry before and are
 * small, and the thread that has moved the iterator reads these copies without entering. Everything else is called inside of the lifetime.
 */
public class GuardedIterator {
    /** The word for lengths; errors have the first one. */
    private static final int LENGTH = 1;
    /** The largest key or value that a move copies, in bytes: to copy more of them twice would take longer than to enter. */
    private static final int LARGEST_COPY = 1024;
    private static final byte[] NONE = {};
    private static final VarHandle MOVER;

    static {
        try {
            MOVER = MethodHandles.lookup().findVarHandle(GuardedIterator.class, "mover", long.class)
                    .withInvokeExactBehavior();
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    public final ExclusiveLifetime lifetime;
    public final Part key = new Part(true);
    public final Part value = new Part(false);

    private final long lengthWord;
    private long iterator;
    private boolean isAtEntry;
    /** The id of the thread that has moved the iterator to this entry and may read the copies; 0 from the next move on. */
    private long mover;

    /**
     * Takes over a native iterator.
     *
     * @param iterator the {@code rocksdb_iterator_t *}
     * @param lifetime frees it
     */
    public GuardedIterator(long iterator, ExclusiveLifetime lifetime) {
        this.iterator = iterator;
        this.lifetime = lifetime;
        lifetime.enter();
        this.lengthWord = lifetime.wordAddress(LENGTH);
        lifetime.exit();
    }

    /** The {@code rocksdb_iterator_t *}. */
    public final long iterator() {
        return iterator;
    }

    /** The address of a word of native memory that belongs to this iterator. */
    public final long lengthWord() {
        return lengthWord;
    }

    /** Goes on with another native iterator, which is at no entry. */
    public final void replace(long other) {
        iterator = other;
        leaveEntry();
        isAtEntry = false;
    }

    /** Ends the copies of the current entry. Called before each move, and by owners that change what the iterator reads. */
    public final void leaveEntry() {
        mover = 0;
        // A thread that still copies what its own move has brought sees this before it sees bytes of the next entry.
        VarHandle.storeStoreFence();
        key.size = -1;
        value.size = -1;
    }

    /** Finds out whether the native iterator is at an entry. */
    public final boolean findEntry() {
        isAtEntry = NativeIterator.isValid(iterator);
        return isAtEntry;
    }

    /** Called when the native iterator stands where its entry cannot be trusted. */
    public final void loseEntry() {
        isAtEntry = false;
    }

    /** Copies the parts of the current entry that were read at the entry before, for the calling thread. */
    public final void copyEntry() {
        key.copyIfRead();
        value.copyIfRead();
        // Release: the copies are complete before the thread finds itself here.
        MOVER.setRelease(this, Thread.currentThread().threadId());
    }

    /** Whether the iterator is at an entry. */
    public final boolean isAtEntry() {
        return isAtEntry;
    }

    /** Whether the calling thread has moved the iterator to its current entry, which is copied then. Can be asked without entering. */
    public final boolean isMovedByCaller() {
        return mover == Thread.currentThread().threadId();
    }

    /** The key or the value of the current entry. */
    public final class Part {
        private final boolean isKey;
        private byte[] bytes = NONE;
        /** How many bytes are copied, or -1. */
        private int size = -1;
        private boolean isRead;

        private Part(boolean isKey) {
            this.isKey = isKey;
        }

        /** The address in RocksDB's memory; the size is in {@link #nativeSize()} then. */
        public long address() {
            isRead = true;
            return isKey ? NativeIterator.key(iterator, lengthWord) : NativeIterator.value(iterator, lengthWord);
        }

        /** The size that RocksDB has told with the last address. */
        public long nativeSize() {
            return NativeCalls.readLong(lengthWord);
        }

        /** Whether it was read since the last move. */
        public boolean isRead() {
            return isRead;
        }

        /** Lets the next move copy it. */
        public void setRead(boolean isRead) {
            this.isRead = isRead;
        }

        /**
         * Reads the copy into a segment if there is room for all of it. Called without entering.
         *
         * @return its size, or -1 if there is no copy for the calling thread, which then enters and asks for the address
         */
        public long read(MemorySegment to) {
            byte[] from = bytes;
            int length = copied(from);
            if (length >= 0 && length <= to.byteSize()) {
                MemorySegment.copy(from, 0, to, ValueLayout.JAVA_BYTE, 0, length);
            }
            return confirmed() ? length : -1;
        }

        /** As {@link #read(MemorySegment)}, but with as many bytes as there is room for. */
        public int read(byte[] to, int offset, int room) {
            byte[] from = bytes;
            int length = copied(from);
            if (length > 0) {
                System.arraycopy(from, 0, to, offset, Math.min(length, room));
            }
            return confirmed() ? length : -1;
        }

        /** As {@link #read(byte[], int, int)}; the bytes end at the buffer's new limit. */
        public int read(ByteBuffer to) {
            byte[] from = bytes;
            int length = to.isReadOnly() ? -1 : copied(from);
            int room = Math.min(length, to.remaining());
            if (room > 0) {
                to.put(to.position(), from, 0, room);
            }
            if (!confirmed() || length < 0) {
                return -1;
            }
            to.limit(to.position() + room);
            return length;
        }

        /** As {@link #read(MemorySegment)}, into a new array; null if there is no copy. */
        public byte @Nullable [] read() {
            byte[] from = bytes;
            int length = copied(from);
            byte[] read = length < 0 ? null : Arrays.copyOf(from, length);
            return confirmed() ? read : null;
        }

        private int copied(byte[] from) {
            if (!isMovedByCaller()) {
                return -1;
            }
            isRead = true;
            int length = size;
            // Another thread may be moving the iterator and change both.
            return length > from.length ? -1 : length;
        }

        private boolean confirmed() {
            // The bytes were read before this: if another thread has moved the iterator meanwhile, it is not the caller's any longer.
            VarHandle.loadLoadFence();
            return (long) MOVER.getOpaque(GuardedIterator.this) == Thread.currentThread().threadId();
        }

        private void copyIfRead() {
            if (!isRead) {
                return;
            }
            long address = address();
            isRead = false;
            long length = nativeSize();
            // Negative: a value that is shorter than the time at its end.
            if (length >= 0 && length <= LARGEST_COPY) {
                if (length > bytes.length) {
                    bytes = new byte[Integer.highestOneBit(2 * (int) length - 1)];
                }
                NativeCalls.copy(address, length, MemorySegment.ofArray(bytes));
                size = (int) length;
            }
        }
    }
}
