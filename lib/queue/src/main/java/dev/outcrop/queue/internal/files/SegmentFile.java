package dev.outcrop.queue.internal.files;

import dev.outcrop.memory.MappedFile;
import dev.outcrop.memory.NativeCalls;
import dev.outcrop.queue.internal.Failures;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A segment of the queue: one use of a mapped file.
 *
 * <p>Readers hold leases; while there is one, the file is neither unmapped nor used again.
 */
public final class SegmentFile {
    private static final int GIVEN_BACK = Integer.MIN_VALUE;
    private static final int LEASES = 32;
    /** A power of two. This many threads with ids in a row do not replace each other's cursors. */
    private static final int CHECKSUM_CURSORS = 64;

    public final MappedFile file;
    public final Path path;
    public final long queueId;
    public final long generation;
    private final int tagKey;
    public final long baseOffset;
    public final long created;
    public final int size;
    /** The position of this segment's first byte if all segments since the queue was opened lay in a row, from 0 on. */
    public final long start;
    public final SegmentTail tail;
    public final SegmentPages pages;
    /** All records before this offset are known to be committed: a record that does not look committed is damaged. */
    private volatile long settled;
    /** The records that need no check. Set before readers see this. */
    private VerifiedRange known = VerifiedRange.NONE;
    /** The next segment, once there is one. */
    public volatile @Nullable SegmentFile next;

    /**
     * All memory, if there is native access. Records are read and written through it, from {@link #base} on, because the JIT compiler knows
     * everything about a constant segment: appending a small record is a fifth faster. Positions are checked here instead.
     */
    private static final @Nullable MemorySegment EVERYTHING = NativeCalls.isEnabled()
            ? NativeCalls.view(0, Long.MAX_VALUE)
            : null;
    private static final MemorySegment ZEROS = MemorySegment.ofArray(new byte[Pages.SIZE]);
    private final long base;
    private final MemorySegment memory;
    /** The same memory as {@link #memory}, for the JDK's checksums. */
    private final ByteBuffer bytes;
    /**
     * The cursors of the last threads; a thread that finds another thread's cursor makes a new one. They replace a slice for each record,
     * which the JIT compiler does not always remove.
     */
    private final @Nullable ChecksumCursor[] checksumCursors = new ChecksumCursor[CHECKSUM_CURSORS];
    /**
     * The leases, at index {@link #LEASES}, on cache lines of their own: each poll writes them, and each append reads the fields beside
     * them.
     */
    private final AtomicIntegerArray leases = new AtomicIntegerArray(2 * LEASES);
    /** The pages that {@link #findUnreadable} has found; null for none. */
    private @Nullable BitSet unreadable;

    private SegmentFile(MappedFile file, Path path, long start) {
        this.file = file;
        this.path = path;
        this.memory = file.memory();
        this.base = EVERYTHING != null ? memory.address() : 0;
        // A thread that computes a checksum has a lease or a claim, so the file stays mapped. The file's own arena would add two atomic
        // writes to a shared place.
        this.bytes = (EVERYTHING != null ? NativeCalls.view(base, memory.byteSize()) : memory).asByteBuffer();
        this.queueId = memory.get(QueueLayout.LONG, QueueLayout.QUEUE_ID);
        this.generation = memory.get(QueueLayout.LONG, QueueLayout.GENERATION);
        this.tagKey = QueueLayout.tagKey(generation);
        this.baseOffset = memory.get(QueueLayout.LONG, QueueLayout.BASE_OFFSET);
        this.created = memory.get(QueueLayout.LONG, QueueLayout.CREATED);
        this.size = (int) memory.byteSize();
        this.start = start;
        this.tail = new SegmentTail(0, QueueLayout.HEADER);
        this.pages = new SegmentPages(this);
        this.settled = baseOffset;
    }

    /**
     * Begins a new use of a file, under the name of a path.
     *
     * @throws InternalError if the file is shorter than it was
     */
    public static SegmentFile begin(MappedFile file, Path path, SegmentHeader header, long start) {
        header.write(file.memory());
        Pages.awaitError(0);
        return new SegmentFile(file, path, start);
    }

    /** Opens an existing segment with a checked header. Its content is not known yet. */
    public static SegmentFile existing(MappedFile file, long start) {
        return new SegmentFile(file, file.path(), start);
    }

    /** The base offset of the segment before it; -1 if that is not known. */
    public long previous() {
        return memory.get(QueueLayout.LONG, QueueLayout.PREVIOUS) - 1;
    }

    /** Sets what was found in an existing segment: so many committed records, up to a position. */
    public void found(long records, long position, boolean isSealed) {
        tail.set(records, position, isSealed);
        settled = baseOffset + records;
    }

    /**
     * Makes this check records only when they are first read, and appended records not at all. Without this call, records are checked each
     * time. Call it before any reader.
     */
    public void checkOnce() {
        known = VerifiedRange.appendedFrom(SegmentTail.position(tail.get()));
    }

    /** Makes this check records as often as another segment does. Call it before any reader or append. */
    public void checkLike(SegmentFile other) {
        if (other.known != VerifiedRange.NONE) {
            checkOnce();
        }
    }

    // --- Writing: only a thread that has claimed the range ---

    /** Copies a payload to a claimed position. */
    public void copyPayload(MemorySegment payload, int position, int length) {
        // The method for elements: for few bytes, the other method looks whether the two overlap, and it is too long to be inlined.
        MemorySegment.copy(payload, ValueLayout.JAVA_BYTE, 0, records(), ValueLayout.JAVA_BYTE,
                payloadAt(position, length), length);
    }

    /** Copies a payload from an array to a claimed position. */
    public void copyPayload(byte[] payload, int position, int length) {
        MemorySegment.copy(payload, 0, records(), ValueLayout.JAVA_BYTE, payloadAt(position, length), length);
    }

    /**
     * Throws if the copied bytes are not there, because the file is shorter than it was: the JVM would crash while it computes the
     * checksum. Does not help if the file is truncated afterwards.
     *
     * @param bytes that were claimed at the position
     * @throws InternalError if the end of them cannot be read, or something could not be copied
     */
    public void requireCopied(int position, int bytes) {
        Pages.awaitError(records().get(ValueLayout.JAVA_BYTE, at(position) + bytes - 1));
    }

    /** The place of a payload in {@link #records()}, which is checked to be in this segment. */
    public long payloadAt(int position, int length) {
        if (position < 0 || length < 0 || (long) position + QueueLayout.PAYLOAD + length > size) {
            throw new IndexOutOfBoundsException(
                    "A payload of " + length + " bytes does not fit behind " + position + " of " + this);
        }
        return base + position + QueueLayout.PAYLOAD;
    }

    /** The memory of places: much more than this segment, so callers check what they add to a place. */
    public MemorySegment records() {
        return EVERYTHING != null ? EVERYTHING : memory;
    }

    /** The place of a record in {@link #records()}. */
    private long at(int position) {
        return base + Objects.checkIndex(position, size - QueueLayout.PAYLOAD + 1);
    }

    /** Commits a claimed record. */
    public void commit(int position, long offset, int length, int kind, long time) {
        commit(position, offset, length, kind, time, checksumCursor());
    }

    /** Commits a claimed record, without making an object. */
    public void commit(int position, long offset, int length, int kind, long time, ChecksumCursor checksums) {
        MemorySegment to = records();
        long at = at(position);
        if (kind == QueueLayout.KIND_WITHDRAWN) {
            // Perhaps because the file is shorter than it was: the JVM crashes if it computes a checksum of a missing page.
            Pages.requireAllReadable(memory, position, position + QueueLayout.recordBytes(length));
        }
        to.set(QueueLayout.UNALIGNED, at + QueueLayout.TIME, time);
        int crc = checksums.crc(position, length) ^ QueueLayout.seed(generation, offset, length, kind);
        publish(to, at, kind, crc, QueueLayout.commitWord(tagKey, offset, length));
    }

    private static void publish(MemorySegment to, long at, int kind, int crc, long word) {
        to.set(QueueLayout.UNALIGNED, at + QueueLayout.CRC, (long) kind << 32 | (crc & 0xFFFF_FFFFL));
        // Release: a thread or process that sees the word sees all of the record.
        QueueLayout.COMMIT_WORD.setRelease(to, at, word);
    }

    /** Writes the end record for readers of the file, if there is room. */
    public void writeEnd(int position, long offset, long time) {
        if (position + QueueLayout.PAYLOAD <= size) {
            commit(position, offset, 0, QueueLayout.KIND_END, time);
        }
    }

    /** Clears the committed word at a position. Only while no thread appends or reads. */
    public void clearCommitWord(int position) {
        memory.set(QueueLayout.LONG, position, 0);
    }

    // --- Reading ---

    /**
     * Checks that the file is as long as it was, with a system call. Does not help if it is truncated afterwards.
     *
     * @throws QueueCorruptException if it is shorter
     */
    public void requireLength() {
        long there;
        try {
            there = Files.size(path);
        } catch (IOException e) {
            // It was deleted; the mapping keeps it.
            return;
        }
        if (there < size) {
            throw Failures.make().corrupt(path, there, baseOffset, "it has " + there + " bytes instead of " + size);
        }
    }

    /** The committed word of the record at a position, or what else lies there. */
    public long commitWord(int position) {
        // Acquire: pairs with the release of commit.
        return (long) QueueLayout.COMMIT_WORD.getAcquire(records(), at(position));
    }

    /** Looks for unreadable pages, on which no record is found from now on. Before any other use. */
    public void findUnreadable() {
        // One system call, instead of reading each page, for which a new JVM takes long.
        BitSet found = file.populateForReading(0, size) ? new BitSet() : Pages.unreadable(memory);
        unreadable = found.isEmpty() ? null : found;
    }

    /** The first unreadable page between two positions, as far as {@link #findUnreadable} has looked; -1 if there is none. */
    public int firstUnreadable(int from, int to) {
        BitSet pages = unreadable;
        int page = pages == null ? -1 : pages.nextSetBit(from / Pages.SIZE);
        return page < 0 || page * Pages.SIZE >= to ? -1 : page * Pages.SIZE;
    }

    /** The next readable page behind an unreadable one. */
    public int endOfUnreadable(int first) {
        return Math.min(size, Objects.requireNonNull(unreadable).nextClearBit(first / Pages.SIZE) * Pages.SIZE);
    }

    /** As {@link #commitWord}; 0 on an unreadable page. */
    public long foundWord(int position) {
        return firstUnreadable(position, position + Long.BYTES) < 0 ? commitWord(position) : 0;
    }

    /** The next position, a multiple of 8, where something may be committed: not on a page of zeros or an unreadable one. */
    public int skipZeros(int position) {
        int at = position;
        while (at % Pages.SIZE == 0 && at < size && isNothingOnPage(at)) {
            at += Pages.SIZE;
        }
        return at;
    }

    private boolean isNothingOnPage(int from) {
        int to = Math.min(size, from + Pages.SIZE);
        return firstUnreadable(from, to) >= 0 || MemorySegment.mismatch(memory, from, to, ZEROS, 0, to - from) < 0;
    }

    /** Whether a word is the committed one of this offset. */
    public boolean isCommitted(long word, long offset) {
        return QueueLayout.isCommitted(tagKey, word, offset);
    }

    /** How many records are missing if a committed word stands at the place where the record of an offset should be, or behind it. */
    public long missingBefore(long word, long offset) {
        return QueueLayout.offset(tagKey, word) - offset & 0xFFFFFFFFL;
    }

    /**
     * Finds sound records that follow each other, and checks records that are not known to be sound. Does not look at the tail: a record of
     * an earlier use of the file has neither the word nor the checksum of this use, and is older.
     *
     * @param from      where the first one begins
     * @param offset    of the first one
     * @param most      how many at most
     * @param bytes     the last one begins before so many bytes
     * @param positions receives their positions
     * @param lengths   receives the lengths of their payloads
     * @param to        index of the first one in these two
     * @return how many there are
     */
    public int wholeRecords(int from, long offset, int most, int bytes, int[] positions, int[] lengths,
            int to) {
        // One method with everything in local variables, because it is half of what reading a small record costs.
        MemorySegment in = records();
        int end = (int) Math.min(size - QueueLayout.PAYLOAD, from + (long) bytes - 1);
        ChecksumCursor checksums = null;
        int appendedFrom = known.appendedFrom();
        long checked = known.checked();
        int checkedFrom = VerifiedRange.from(checked);
        int checkedTo = VerifiedRange.to(checked);
        boolean isAnyNew = false;
        boolean isAnyKnown = false;
        int seen = 0;
        int count = 0;
        int at = from;
        for (; count < most && at <= end; count++) {
            // Acquire: pairs with the release of commit.
            long word = (long) QueueLayout.COMMIT_WORD.getAcquire(in, base + at);
            int length = QueueLayout.length(word);
            long taken = QueueLayout.recordBytes(length);
            if (!isCommitted(word, offset + count) || taken > size - at) {
                break;
            }
            long crcAndKind = in.get(QueueLayout.UNALIGNED, base + at + QueueLayout.CRC);
            boolean isAppended = at >= appendedFrom
                    && in.get(QueueLayout.UNALIGNED, base + at + QueueLayout.TIME) >= created;
            if (isAppended || (at >= checkedFrom && at < checkedTo)) {
                if ((int) (crcAndKind >>> 32) != QueueLayout.KIND_RECORD) {
                    break;
                }
                if (taken > 2 * CacheLines.SIZE && taken <= bytes) {
                    seen += CacheLines.load(in, base + at, base + at + taken);
                } else if (isBetween(taken)) {
                    if (Pages.isOnSeveral(at, at + (int) taken)) {
                        // With the lines before the other page: see there.
                        seen += CacheLines.load(in, base + at, base + (at + (int) taken - 1 & -Pages.SIZE) + 1);
                    }
                } else if (!isAppended && Pages.isOnSeveral(at, at + (int) taken)) {
                    seen += Pages.look(in, base + at, base + at + taken);
                }
                isAnyKnown = true;
            } else {
                if (checksums == null) {
                    checksums = checksumCursor();
                }
                int crc = foundCrc(at, length, checksums)
                        ^ QueueLayout.seed(generation, offset + count, length, QueueLayout.KIND_RECORD);
                if (crcAndKind != ((long) QueueLayout.KIND_RECORD << 32 | (crc & 0xFFFF_FFFFL))) {
                    break;
                }
                isAnyNew = true;
            }
            positions[to + count] = at;
            lengths[to + count] = length;
            at += (int) taken;
        }
        if (count < most && at <= end) {
            // Perhaps because what lies there cannot be read.
            Pages.awaitError(seen);
        } else if (isAnyKnown && Pages.isOnSeveral(from, at)) {
            // Once for all records, because it costs more than looking at a page. An appended record is there if its end is there, unless
            // the disk has failed since. The part on the first record's first page is there, because the first record's word is.
            boolean isEndSeen = isBetween(at - positions[to + count - 1]);
            Pages.awaitError(isEndSeen ? seen : seen + in.get(ValueLayout.JAVA_BYTE, base + at - 1));
        }
        if (isAnyNew) {
            known.check(from, at);
        }
        return count;
    }

    /** Whether a record is of the size at which its lines are loaded. */
    private static boolean isBetween(long taken) {
        return taken > 2 * CacheLines.SIZE && taken <= Pages.SIZE;
    }

    /**
     * Returns the length of a payload that this opening has appended, and that lies on one page. This is a faster {@link #wholeRecords} for
     * most records that are neither small nor large.
     *
     * @return -1 for another record, or none
     */
    public int lengthOnPage(int position, long offset) {
        if (position < known.appendedFrom() || position > size - QueueLayout.PAYLOAD) {
            return -1;
        }
        MemorySegment in = records();
        long at = base + position;
        // Acquire: pairs with the release of commit.
        long word = (long) QueueLayout.COMMIT_WORD.getAcquire(in, at);
        int length = QueueLayout.length(word);
        long end = position + QueueLayout.recordBytes(length);
        // All on one page, of which a word was read: so it is readable.
        return isCommitted(word, offset) && end <= size && !Pages.isOnSeveral(position, (int) end)
                && (int) (in.get(QueueLayout.UNALIGNED, at + QueueLayout.CRC) >>> 32) == QueueLayout.KIND_RECORD
                && in.get(QueueLayout.UNALIGNED, at + QueueLayout.TIME) >= created
                        ? length
                        : -1;
    }

    /** Whether the record of an offset may just not be there yet: this is the last segment, and the record was not seen before. */
    public boolean mayBeUnwritten(int position, long offset) {
        return next == null && position <= size - QueueLayout.PAYLOAD && !isCommitted(commitWord(position), offset)
                && !isSettled(offset);
    }

    /** Whether the record of an offset is as it was written. Its committed word was read at this position. */
    public boolean isWhole(int position, long offset, int length) {
        return QueueLayout.recordBytes(length) <= size - position
                && firstUnreadable(position, position + (int) QueueLayout.recordBytes(length)) < 0
                && records().get(QueueLayout.INT,
                        at(position) + QueueLayout.CRC) == (foundCrc(position, length, checksumCursor())
                                ^ QueueLayout.seed(generation, offset, length, kind(position)));
    }

    /** As {@link #isWhole}, but does not check known records again. A checked record is known from now on. */
    public boolean isSound(int position, long offset, int length) {
        int end = (int) Math.min(size + 1L, position + QueueLayout.recordBytes(length));
        if (end > size) {
            return false;
        }
        // A record of an earlier use of the file that has the word by chance is older.
        if (position >= known.appendedFrom() && time(position) >= created) {
            Pages.requireReadable(memory, Math.max(position, end - Pages.SIZE), end);
            return true;
        }
        if (known.isChecked(position)) {
            Pages.requireReadable(memory, position, end);
            return true;
        }
        if (!isWhole(position, offset, length)) {
            return false;
        }
        known.check(position, end);
        return true;
    }

    public int kind(int position) {
        return records().get(QueueLayout.INT, at(position) + QueueLayout.KIND);
    }

    public long time(int position) {
        return records().get(QueueLayout.LONG, at(position) + QueueLayout.TIME);
    }

    /** The checksum that the record at a position was stored with. */
    public int checksum(int position) {
        return records().get(QueueLayout.INT, at(position) + QueueLayout.CRC);
    }

    /** Lends a payload until the lifetime ends. Needs a lease for as long. */
    public MemorySegment lend(int position, int length, Arena lifetime) {
        return file.lend(position + QueueLayout.PAYLOAD, length, lifetime);
    }

    /** As {@link #lend}, for many payloads: the caller has read {@link #base()} once. */
    public MemorySegment lend(long knownBase, int position, int length, Arena lifetime) {
        return EVERYTHING != null
                ? NativeCalls.readOnlyView(knownBase + position + QueueLayout.PAYLOAD, length, lifetime)
                : lend(position, length, lifetime);
    }

    public long base() {
        return base;
    }

    /** Whether lent segments lie in the mapped file, and are no copies. */
    public static boolean isLentInPlace() {
        return EVERYTHING != null;
    }

    /** Lends all of the segment until the lifetime ends. Needs a lease for as long. Only if {@link #isLentInPlace}. */
    public MemorySegment lendAll(Arena lifetime) {
        return NativeCalls.readOnlyView(base, size, lifetime);
    }

    /** Returns the offset of a record's payload in {@link #lendAll}; 0 if the payload alone is lent, as a copy. */
    public long placeOfLent(int position) {
        return EVERYTHING != null ? (long) position + QueueLayout.PAYLOAD : 0;
    }

    /** Returns the checksum cursor of the calling thread. */
    public ChecksumCursor checksumCursor() {
        long thread = Thread.currentThread().threadId();
        int slot = (int) thread & CHECKSUM_CURSORS - 1;
        // A race is harmless: a cursor is used only by its thread, and others read only its final number.
        ChecksumCursor found = checksumCursors[slot];
        if (found == null || found.thread != thread) {
            found = new ChecksumCursor(thread, bytes.duplicate(), new CRC32C());
            checksumCursors[slot] = found;
        }
        return found;
    }

    /** Drops the cursors when no thread appends from now on, because there may be very many segments. */
    public void forgetChecksumCursors() {
        Arrays.fill(checksumCursors, null);
    }

    /** Computes the crc of a record whose committed word was read. The rest of it may be on unreadable pages. */
    private int foundCrc(int position, int length, ChecksumCursor checksums) {
        int end = position + (int) QueueLayout.recordBytes(length);
        if (Pages.isOnSeveral(position, end)) {
            Pages.requireReadable(memory, position, end);
        }
        return checksums.crc(position, length);
    }

    /** Forces a range to the disk. */
    public void force(long from, long to) throws IOException {
        file.force(from, to);
    }

    /** Marks all pages behind a position as modified, without changing them. */
    public void touch(long from) {
        try {
            for (long at = from / Pages.SIZE * Pages.SIZE; at < size; at += Pages.SIZE) {
                // Atomic, because a producer may be copying there.
                long _ = (long) QueueLayout.COMMIT_WORD.getAndBitwiseOr(memory, at, 0L);
            }
        } catch (InternalError e) {
            // The file is shorter than it was, so there is nothing to write.
            return;
        }
    }

    // --- Leases ---

    /** Takes a lease. Returns false if the file was given back. */
    public boolean lease() {
        int current = leases.get(LEASES);
        while (current >= 0) {
            if (leases.compareAndSet(LEASES, current, current + 1)) {
                return true;
            }
            current = leases.get(LEASES);
        }
        return false;
    }

    /** Releases a lease. The last one after {@link #close()} unmaps the file. */
    public void release() {
        if (leases.decrementAndGet(LEASES) == GIVEN_BACK) {
            file.close();
        }
    }

    /** Gives the file to the caller if there is no lease. If so, no lease is given out from now on. */
    public boolean giveBack() {
        return leases.compareAndSet(LEASES, 0, GIVEN_BACK);
    }

    /** Ends giving out leases, and unmaps the file, or leaves that to the last lease. */
    public void close() {
        if (leases.getAndAdd(LEASES, GIVEN_BACK) == 0) {
            file.close();
        }
    }

    /** Whether the record of an offset is known to be committed. */
    public boolean isSettled(long offset) {
        return offset < settled;
    }

    /** Notes that all records before an offset are committed. */
    public void settle(long offset) {
        settled = offset;
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
