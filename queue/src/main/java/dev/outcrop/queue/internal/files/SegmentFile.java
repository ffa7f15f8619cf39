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
 * One segment of the queue: a mapped file in one use. When the file is used again, that is another object.
 *
 * <p>Readers hold leases; while there is one, the file is neither unmapped nor used again.
 */
public final class SegmentFile {
    private static final int GIVEN_BACK = Integer.MIN_VALUE;
    private static final int LEASES = 32;
    /** A power of two. Of so many threads that were made one after the other, none has to make a cursor again and again. */
    private static final int CHECKSUM_CURSORS = 64;
    /**
     * Of a payload that is larger so much is copied at once, and added to the checksum while it is in the processor's nearest cache: all of
     * it, and where it came from, would not fit there.
     */
    private static final int PART = 4 << 10;

    public final MappedFile file;
    public final Path path;
    public final long queueId;
    public final long generation;
    private final int tagKey;
    public final long baseOffset;
    public final long created;
    public final int size;
    /**
     * Where this segment begins if the records of all segments lay one behind the other. Only in memory, from 0 when the queue is opened.
     */
    public final long start;
    public final SegmentTail tail;
    public final SegmentPages pages;
    /** All records before this offset are known to have been committed: one that does not look so is damaged. */
    private volatile long settled;
    /** Which records need no check. Set before readers see this. */
    private VerifiedRange known = VerifiedRange.NONE;
    /** The segment behind this one, once there is one. */
    public volatile @Nullable SegmentFile next;

    /**
     * Where records are read and written, from {@link #base} on: all memory if there is native access, because the JIT compiler knows
     * everything about a constant segment, which makes appending a small record a fifth faster; positions are checked here instead.
     */
    private static final @Nullable MemorySegment EVERYTHING = NativeCalls.isEnabled()
            ? NativeCalls.view(0, Long.MAX_VALUE)
            : null;
    private static final MemorySegment ZEROS = MemorySegment.ofArray(new byte[Pages.SIZE]);
    private final long base;
    private final MemorySegment memory;
    /** The same memory as {@link #memory}, in the form that the JDK computes checksums of. */
    private final ByteBuffer bytes;
    /**
     * Of the threads that computed a checksum last; a thread that finds another thread's makes a new one. Not a slice for each record: its
     * constructors call each other so deeply that the JIT compiler does not always inline them, and then each slice is garbage.
     */
    private final @Nullable ChecksumCursor[] checksumCursors = new ChecksumCursor[CHECKSUM_CURSORS];
    /** At {@link #LEASES}, on cache lines of its own: each poll writes it, and each append reads what lies beside. */
    private final AtomicIntegerArray leases = new AtomicIntegerArray(2 * LEASES);
    /** What {@link #findUnreadable} has found; null if that is nothing. */
    private @Nullable BitSet unreadable;

    private SegmentFile(MappedFile file, Path path, long start) {
        this.file = file;
        this.path = path;
        this.memory = file.memory();
        this.base = EVERYTHING != null ? memory.address() : 0;
        // Who computes a checksum has a lease or a claim, so the file stays mapped. Through the file's own arena each checksum would say
        // so once more, with two atomic writes to what all threads share.
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
     * Begins a new use of a file, which will have the name of the path.
     *
     * @throws InternalError if the file is shorter than it was
     */
    public static SegmentFile begin(MappedFile file, Path path, SegmentHeader header, long start) {
        header.write(file.memory());
        Pages.awaitError(0);
        return new SegmentFile(file, path, start);
    }

    /** Opens an existing segment. Its header was checked; its content is not known yet. */
    public static SegmentFile existing(MappedFile file, long start) {
        return new SegmentFile(file, file.path(), start);
    }

    /** Base offset of the segment before it; -1 if it is not known. */
    public long previous() {
        return memory.get(QueueLayout.LONG, QueueLayout.PREVIOUS) - 1;
    }

    /** Says what was found in an existing segment: so many records, all of them committed, up to a position. */
    public void found(long records, long position, boolean isSealed) {
        tail.set(records, position, isSealed);
        settled = baseOffset + records;
    }

    /**
     * Its records are checked when they are first read, and those that are appended from now on not at all; otherwise each time. Before
     * anybody reads.
     */
    public void checkOnce() {
        known = VerifiedRange.appendedFrom(SegmentTail.position(tail.get()));
    }

    /** Its records are checked as often as those of another segment. Before anybody reads or appends. */
    public void checkLike(SegmentFile other) {
        if (other.known != VerifiedRange.NONE) {
            checkOnce();
        }
    }

    // --- Writing: only a thread that has claimed the range ---

    /** Where a payload goes that was claimed at a position. */
    public void copyPayload(MemorySegment payload, int position, int length) {
        // Of elements: the other method looks, for few bytes, whether the two overlap, and gets so long that the JIT compiler calls this one.
        MemorySegment.copy(payload, ValueLayout.JAVA_BYTE, 0, records(), ValueLayout.JAVA_BYTE,
                payloadAt(position, length), length);
    }

    /**
     * Copies a payload, or the next part of one, to where it was claimed. If it is large, begins the record's checksum or goes on with it.
     *
     * @param from   how much of the payload was copied before
     * @param time   of the record
     * @param checksums the calling thread's, which is to be used for nothing else until the record is committed
     */
    public void copyPayload(MemorySegment payload, int position, int from, int length, long time,
            ChecksumCursor checksums) {
        if (length > PART) {
            copyInParts(payload, position, from, length, time, checksums);
        } else {
            copyPayload(payload, position + from, length);
        }
    }

    /** As above, all of it, from an array. */
    public void copyPayload(byte[] payload, int position, int length, long time, ChecksumCursor checksums) {
        if (length > PART) {
            copyInParts(MemorySegment.ofArray(payload), position, 0, length, time, checksums);
        } else {
            MemorySegment.copy(payload, 0, records(), ValueLayout.JAVA_BYTE, payloadAt(position, length), length);
        }
    }

    private void copyInParts(MemorySegment payload, int position, int from, int length, long time,
            ChecksumCursor checksums) {
        long to = payloadAt(position + from, length);
        // The checksum begins with it.
        setTime(records(), at(position), time);
        checksums.begin(position);
        for (int copied = 0; copied < length;) {
            int part = Math.min(PART, length - copied);
            MemorySegment.copy(payload, ValueLayout.JAVA_BYTE, copied, records(), ValueLayout.JAVA_BYTE, to + copied,
                    part);
            copied += part;
            // Before the checksum: the JVM ends if it computes one of what is not there.
            Pages.awaitError(0);
            checksums.addTo(position + QueueLayout.PAYLOAD + from + copied);
        }
    }

    /**
     * Fails in an orderly way if what was just copied is not there, because the file is shorter than it was: the JVM would end in computing
     * its checksum. If it is cut off afterwards, this does not help.
     *
     * @param bytes that were claimed at the position
     * @throws InternalError if the end of them cannot be read, or something could not be copied
     */
    public void requireCopied(int position, int bytes) {
        Pages.awaitError(records().get(ValueLayout.JAVA_BYTE, at(position) + bytes - 1));
    }

    /** The place of a payload in {@link #records()}, of which no byte is outside of this segment. */
    public long payloadAt(int position, int length) {
        // Of longs, which cannot overflow.
        if (position < 0 || length < 0 || (long) position + QueueLayout.PAYLOAD + length > size) {
            throw new IndexOutOfBoundsException(
                    "A payload of " + length + " bytes does not fit behind " + position + " of " + this);
        }
        return base + position + QueueLayout.PAYLOAD;
    }

    /** What places are in: much more than this segment, so its user checks what it adds to a place. */
    public MemorySegment records() {
        return EVERYTHING != null ? EVERYTHING : memory;
    }

    /** The place of a record in {@link #records()}. */
    private long at(int position) {
        return base + Objects.checkIndex(position, size - QueueLayout.PAYLOAD + 1);
    }

    /** Makes what was claimed a record. */
    public void commit(int position, long offset, int length, int kind, long time) {
        commit(position, offset, length, kind, time, checksumCursor());
    }

    /** As above, without making any object. */
    public void commit(int position, long offset, int length, int kind, long time, ChecksumCursor checksums) {
        MemorySegment to = records();
        long at = at(position);
        if (kind == QueueLayout.KIND_WITHDRAWN) {
            // Perhaps because the file is shorter than it was: the JVM ends if a checksum is computed of what is not there.
            Pages.requireAllReadable(memory, position, position + QueueLayout.recordBytes(length));
        }
        setTime(to, at, time);
        // From its start if copying has failed: who knows where.
        int sum = length > PART && kind == QueueLayout.KIND_RECORD
                ? checksums.restOfCrc(position, length)
                : checksums.crc(position, length);
        int crc = sum ^ QueueLayout.seed(generation, offset, length, kind);
        publish(to, at, kind, crc, QueueLayout.commitWord(tagKey, offset, length));
    }

    private static void setTime(MemorySegment to, long at, long time) {
        to.set(QueueLayout.UNALIGNED, at + QueueLayout.TIME, time);
    }

    private static void publish(MemorySegment to, long at, int kind, int crc, long word) {
        to.set(QueueLayout.UNALIGNED, at + QueueLayout.CRC, (long) kind << 32 | (crc & 0xFFFF_FFFFL));
        // Release: a thread that sees the word, here or in another process, sees all of the record.
        QueueLayout.COMMIT_WORD.setRelease(to, at, word);
    }

    /** Ends the segment for those who read its file, if there is room to say so. */
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
     * Looks whether the file is as long as it was; a system call. If it is cut off afterwards, this does not help.
     *
     * @throws QueueCorruptException if it is shorter
     */
    public void requireLength() {
        long there;
        try {
            there = Files.size(path);
        } catch (IOException e) {
            // It was deleted, and the mapping keeps it.
            return;
        }
        if (there < size) {
            throw Failures.corrupt(path, there, baseOffset, "it has " + there + " bytes instead of " + size);
        }
    }

    /** The committed word of the record that begins at a position, or what else lies there. */
    public long commitWord(int position) {
        // Acquire: pairs with the release of commit.
        return (long) QueueLayout.COMMIT_WORD.getAcquire(records(), at(position));
    }

    /** Looks for pages that cannot be read: nothing is found on them from now on. Before anybody else uses this. */
    public void findUnreadable() {
        // One call of the system, instead of a look at each page, which a new JVM takes long for.
        BitSet found = file.populateForReading(0, size) ? new BitSet() : Pages.unreadable(memory);
        unreadable = found.isEmpty() ? null : found;
    }

    /**
     * Where, from a position on and before another one, the first page begins that cannot be read, as far as that was looked for; -1 if
     * there is none.
     */
    public int firstUnreadable(int from, int to) {
        BitSet pages = unreadable;
        int page = pages == null ? -1 : pages.nextSetBit(from / Pages.SIZE);
        return page < 0 || page * Pages.SIZE >= to ? -1 : page * Pages.SIZE;
    }

    /** Behind a page that cannot be read, where the next one is that can. */
    public int endOfUnreadable(int first) {
        return Math.min(size, Objects.requireNonNull(unreadable).nextClearBit(first / Pages.SIZE) * Pages.SIZE);
    }

    /** As {@link #commitWord}; none where nothing can be read. */
    public long foundWord(int position) {
        return firstUnreadable(position, position + Long.BYTES) < 0 ? commitWord(position) : 0;
    }

    /**
     * The next multiple of 8, from a position on, where something may be committed: not on a page of zeros, or one that cannot be read. After
     * {@link #findUnreadable()}.
     */
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

    /** How many records are missing if a committed word stands where the record of an offset should be, or behind that. */
    public long swallowed(long word, long offset) {
        return QueueLayout.offset(tagKey, word) - offset & 0xFFFFFFFFL;
    }

    /**
     * Looks for records that follow each other, and checks those that are not known, up to the first that is not a whole record, or is not
     * there. Needs no look at what is claimed: what is left of an earlier use of the file has neither the word nor the checksum of this
     * one, and is older.
     *
     * @param from      where the first one begins
     * @param offset    of the first one
     * @param most      how many at most
     * @param bytes     behind so many bytes no other one begins
     * @param positions is told where they begin
     * @param lengths   is told how long their payloads are
     * @param to        of these two, the place of the first one
     * @return how many there are
     */
    public int wholeRecords(int from, long offset, int most, int bytes, int[] positions, int[] lengths,
            int to) {
        // One method with everything in local variables: it is half of what reading a small record costs.
        MemorySegment in = records();
        int end = (int) Math.min(size - QueueLayout.PAYLOAD, from + (long) bytes - 1);
        // Made only if something is to be checked.
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
        int usual = from > end ? 0 : (int) QueueLayout.recordBytes(QueueLayout.length(commitWord(from)));
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
            if ((int) taken == usual) {
                // The same sum. But the processor predicts it, and loads the next record's word without waiting for this one's.
                at += usual;
            } else {
                at += (int) taken;
            }
        }
        if (count < most && at <= end) {
            // Perhaps because what lies there cannot be read.
            Pages.awaitError(seen);
        } else if (isAnyKnown && Pages.isOnSeveral(from, at)) {
            // Once for all of them, because it costs more than looking at a page. What was appended is there if its end is, or the disk has
            // failed since. What lies on the first one's page is there, because its word is.
            boolean isEndSeen = isBetween(at - positions[to + count - 1]);
            Pages.awaitError(isEndSeen ? seen : seen + in.get(ValueLayout.JAVA_BYTE, base + at - 1));
        }
        if (isAnyNew) {
            known.check(from, at);
        }
        return count;
    }

    /** Whether a record is of the size at which each page of it is loaded from, with what comes before that. */
    private static boolean isBetween(long taken) {
        return taken > 2 * CacheLines.SIZE && taken <= Pages.SIZE;
    }

    /**
     * How long the payload of a record is that this opening has appended, and that lies on one page: what {@link #wholeRecords} says of
     * most records that are neither small nor large, and sooner.
     *
     * @return -1 if it is another one, or none
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
        // One page, whose first word was read: nothing of it is unreadable.
        return isCommitted(word, offset) && end <= size && !Pages.isOnSeveral(position, (int) end)
                && (int) (in.get(QueueLayout.UNALIGNED, at + QueueLayout.CRC) >>> 32) == QueueLayout.KIND_RECORD
                && in.get(QueueLayout.UNALIGNED, at + QueueLayout.TIME) >= created
                        ? length
                        : -1;
    }

    /**
     * How long the payload of a record is that has to be checked, which this does: what {@link #wholeRecords} says of a single one, and
     * sooner. Does not say that it was checked; {@link #checked} says so of several at once.
     *
     * @param least what has a shorter payload is not looked at
     * @return -1 if it is not whole, shorter, no record for users, or none
     */
    public int checkedLength(int position, long offset, int least) {
        if (position > size - QueueLayout.PAYLOAD) {
            return -1;
        }
        long word = commitWord(position);
        int length = QueueLayout.length(word);
        if (length < least || !isCommitted(word, offset) || QueueLayout.recordBytes(length) > size - position) {
            return -1;
        }
        int crc = foundCrc(position, length, checksumCursor())
                ^ QueueLayout.seed(generation, offset, length, QueueLayout.KIND_RECORD);
        long crcAndKind = records().get(QueueLayout.UNALIGNED, base + position + QueueLayout.CRC);
        return crcAndKind == ((long) QueueLayout.KIND_RECORD << 32 | (crc & 0xFFFF_FFFFL)) ? length : -1;
    }

    /** Whether the record that begins at a position need not be checked. */
    public boolean isKnown(int position) {
        return position >= known.appendedFrom() || known.isChecked(position);
    }

    /** All records from one position up to another one were checked. */
    public void checked(int from, int to) {
        known.check(from, to);
    }

    /** Whether it is no wonder that the record of an offset is not there: this is the last segment, and the record was not seen before. */
    public boolean isNothing(int position, long offset) {
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

    /** As {@link #isWhole}, but a record that is known is not checked again. What was checked is known from now on. */
    public boolean isSound(int position, long offset, int length) {
        int end = (int) Math.min(size + 1L, position + QueueLayout.recordBytes(length));
        if (end > size) {
            return false;
        }
        // One that lies here from an earlier use of the file, and has this one's word by chance, is older.
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

    /** The payload for a user, until the lifetime ends. Needs a lease for as long. */
    public MemorySegment lend(int position, int length, Arena lifetime) {
        return file.lend(position + QueueLayout.PAYLOAD, length, lifetime);
    }

    /** As {@link #lend}, for many that {@link #wholeRecords} has found: {@link #base()} does not have to be read again for each. */
    public MemorySegment lend(long knownBase, int position, int length, Arena lifetime) {
        return EVERYTHING != null
                ? NativeCalls.readOnlyView(knownBase + position + QueueLayout.PAYLOAD, length, lifetime)
                : lend(position, length, lifetime);
    }

    public long base() {
        return base;
    }

    /** Whether what is lent lies in the mapped file, and is not a copy. */
    public static boolean isLentInPlace() {
        return EVERYTHING != null;
    }

    /** All of the segment for a user, until the lifetime ends. Needs a lease for as long. Only if {@link #isLentInPlace}. */
    public MemorySegment lendAll(Arena lifetime) {
        return NativeCalls.readOnlyView(base, size, lifetime);
    }

    /** Where the payload of the record at a position begins in {@link #lendAll}; 0, for the payload alone, if that is a copy. */
    public long placeOfLent(int position) {
        return EVERYTHING != null ? (long) position + QueueLayout.PAYLOAD : 0;
    }

    /** Returns the cursor of the calling thread. */
    public ChecksumCursor checksumCursor() {
        long thread = Thread.currentThread().threadId();
        int slot = (int) thread & CHECKSUM_CURSORS - 1;
        // A race does no harm: a cursor is used by the thread of its number only, and others look at nothing but that, which is final.
        ChecksumCursor found = checksumCursors[slot];
        if (found == null || found.thread != thread) {
            found = new ChecksumCursor(thread, bytes.duplicate(), new CRC32C());
            checksumCursors[slot] = found;
        }
        return found;
    }

    /** No thread appends to this segment from now on, and there may be very many such segments. Who has a cursor may go on using it. */
    public void forgetChecksumCursors() {
        Arrays.fill(checksumCursors, null);
    }

    /** Of a record whose committed word was read: all of it that is not on the same page may be unreadable. */
    private int foundCrc(int position, int length, ChecksumCursor checksums) {
        int end = position + (int) QueueLayout.recordBytes(length);
        if (Pages.isOnSeveral(position, end)) {
            Pages.requireReadable(memory, position, end);
        }
        return checksums.crc(position, length);
    }

    /** Waits until a range is on the disk. */
    public void force(long from, long to) throws IOException {
        file.force(from, to);
    }

    /** Makes all pages behind a position ones that have to be written to the disk, without changing what is in them. */
    public void touch(long from) {
        try {
            for (long at = from / Pages.SIZE * Pages.SIZE; at < size; at += Pages.SIZE) {
                // Atomic, because a producer may be copying there.
                long _ = (long) QueueLayout.COMMIT_WORD.getAndBitwiseOr(memory, at, 0L);
            }
        } catch (InternalError e) {
            // The file is shorter than it was; there is nothing to be written where it ends.
            return;
        }
    }

    // --- Leases ---

    /** Takes a lease. Returns false if the file was given back before. */
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

    /** Gives a lease back. The last one after {@link #close()} unmaps the file. */
    public void release() {
        if (leases.decrementAndGet(LEASES) == GIVEN_BACK) {
            file.close();
        }
    }

    /** Gives the file back if there is no lease: then no lease is given out from now on, and the file is the caller's. */
    public boolean giveBack() {
        return leases.compareAndSet(LEASES, 0, GIVEN_BACK);
    }

    /** Gives out no more leases, and unmaps the file, or leaves that to the last lease. */
    public void close() {
        if (leases.getAndAdd(LEASES, GIVEN_BACK) == 0) {
            file.close();
        }
    }

    /** Whether the record of an offset must be committed. */
    public boolean isSettled(long offset) {
        return offset < settled;
    }

    /** All records before an offset are committed. */
    public void settle(long offset) {
        settled = offset;
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
