package dev.outcrop.queue;

import dev.outcrop.memory.Uninterrupted;
import dev.outcrop.queue.internal.FailureText;
import dev.outcrop.queue.internal.Nanos;
import dev.outcrop.queue.internal.append.Clock;
import dev.outcrop.queue.internal.append.Committer;
import dev.outcrop.queue.internal.append.Log;
import dev.outcrop.queue.internal.append.PayloadWriter;
import dev.outcrop.queue.internal.append.QueueBounds;
import dev.outcrop.queue.internal.append.Readers;
import dev.outcrop.queue.internal.append.Syncer;
import dev.outcrop.queue.internal.files.QueueDirectory;
import dev.outcrop.queue.internal.files.QueueLayout;
import dev.outcrop.queue.internal.files.SegmentFile;
import dev.outcrop.queue.internal.groups.Group;
import dev.outcrop.queue.internal.groups.Groups;
import dev.outcrop.queue.internal.groups.Housekeeper;
import dev.outcrop.queue.internal.groups.Retention;
import dev.outcrop.queue.internal.repair.Recovery;
import dev.outcrop.queue.internal.tailers.TailerPosition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A durable queue: producers append records at its end, and each {@linkplain ConsumerGroup consumer group} reads all of them.
 *
 * <p>A queue is a directory. Only one object of one process can have it open for writing; others can read along with a {@link Tailer}. All
 * methods are thread-safe, and any number of threads, platform or virtual, may append at the same time.
 *
 * <p>Each record gets an <em>offset</em>, one more than the offset of the record before it. Once {@link #append(byte[])} has returned, the
 * record survives the end of the process, even a kill -9. To survive a crash of the machine, it must be on the disk; see
 * {@link Durability}.
 *
 * <p>The files are mapped into memory. No process may truncate a file while the queue is open. Readers touch each page of a record before
 * they compute its checksum. If a page cannot be read, because the file was truncated or the disk has a bad sector, they throw
 * {@link QueueCorruptException}; an append throws {@link QueuePoisonedException}. But the JVM crashes if the file is truncated between
 * touching a record and computing its checksum.
 */
public final class Queue implements AutoCloseable {
    static {
        QueueFailures.install();
    }

    private final QueueDirectory directory;
    private final Clock clock;
    private final QueueBounds bounds;
    private final Readers readers = new Readers();
    private final Log log;
    private final QueueStatistics statistics;
    /** The offset of the first record of this opening. */
    private final long begin;
    private final Syncer syncer;
    private final Groups groups;
    private final Map<String, ConsumerGroup> shownGroups = new ConcurrentHashMap<>();
    private final Retention retention;
    private final @Nullable Housekeeper housekeeper;
    private final PayloadWriter<RecordWriter> byWriter = this::fill;
    private final boolean isSynced;
    private final long fullTimeout;
    private final Committer committer;
    private final Appender synced;
    private final Appender unsynced;
    private final AsyncAppender asynchronous;
    /** The appender with group commit that was made last. */
    private volatile @Nullable Appender grouped;
    private final ClosingSteps steps = new ClosingSteps();
    /**
     * Closes the queue with an unused stack: the caller of {@link #close()} may have no stack left, and a half-closed queue cannot be
     * closed again.
     */
    private final Thread closer = Thread.ofPlatform().unstarted(this::closeAll);

    private Queue(QueueDirectory directory, Recovery.Recovered recovered, QueueOptions options) throws IOException {
        this.directory = directory;
        List<SegmentFile> segments = recovered.segments();
        if (options.readVerification == ReadVerification.FIRST_READ) {
            segments.forEach(SegmentFile::checkOnce);
        }
        this.clock = new Clock(recovered.latest());
        this.bounds = new QueueBounds(options.maxRecords, options.maxBytes);
        this.statistics = new QueueStatistics(this::appended, bounds::waiting);
        this.log = new Log(directory, clock, bounds, readers, statistics::record, segments.getFirst(),
                segments.getLast());
        this.begin = log.nextOffset();
        this.syncer = Syncer.of(directory, log, statistics::record);
        Durability durability = options.durability;
        this.isSynced = durability.isSynced();
        Duration timeout = options.fullTimeout;
        this.fullTimeout = timeout == null ? -1 : Nanos.of(timeout);
        this.committer = new Committer(directory, log, syncer, durability.groupNanos(), durability.bytes());
        this.synced = new Appender(log, syncer, committer, Durability.SYNCED, byWriter, fullTimeout);
        this.unsynced = new Appender(log, syncer, committer, Durability.PAGE_CACHE, byWriter, fullTimeout);
        this.asynchronous = new AsyncAppender(log, committer, byWriter, fullTimeout);
        Groups opened = null;
        Housekeeper keeper = null;
        try {
            TailerPosition.deleteUnfinished(directory.directory());
            TailerPosition.fit(directory.directory(), log.nextOffset());
            opened = Groups.open(directory, log, bounds, readers);
            this.groups = opened;
            this.retention = new Retention(directory, log, groups, syncer, clock, options.keepFor,
                    options.keepBytes);
            // From now on a kill leaves gaps, which recovery has to look for.
            directory.writeFile(slot -> slot.withSynced(syncer.durable(), 0));
            if (directory.isPreparedByAppends()) {
                log.current().pages.preparedByAppends();
            }
            if (options.isBackground) {
                keeper = new Housekeeper(directory, log, retention, clock);
                clock.tickedBy(keeper::wake);
                directory.preparing(keeper::wake);
                log.retiring(keeper::wake);
            } else {
                log.retiring(retention::runInCaller);
            }
            this.housekeeper = keeper;
            if (!durability.isPageCache() && !durability.isSynced()) {
                committer.start();
            }
            // Last: it gives files back.
            if (keeper != null) {
                keeper.start();
            }
        } catch (Throwable e) {
            // The caller unmaps the segments, so no thread may still use them.
            committer.stop();
            if (opened != null) {
                opened.close();
            }
            syncer.close();
            throw e;
        }
    }

    private long appended() {
        return log.nextOffset() - begin;
    }

    /**
     * Opens a queue with default options, or creates it if it does not exist; see {@link #open(Path, QueueOptions)}, also for the
     * exceptions.
     *
     * @param directory the directory of its files; created if it does not exist
     * @return the queue, which the caller must close
     */
    public static Queue open(Path directory) {
        return open(directory, new QueueOptions());
    }

    /**
     * Opens a queue, or creates it if it does not exist.
     *
     * @param directory the directory of its files; created if it does not exist
     * @param options   how
     * @return the queue, which the caller must close
     * @throws IllegalArgumentException if the path does not belong to the default file system
     * @throws QueueLockedException     if this or another process has the queue open
     * @throws QueueCorruptException    if its files are so damaged that their content cannot be determined
     * @throws QueueException           if the path cannot hold a queue: there is a file in place of the directory, or a RocksDB database in
     *                                  it
     * @throws UncheckedIOException     if files cannot be created, opened or read
     */
    public static Queue open(Path directory, QueueOptions options) {
        QueueFiles.requireOfSystem(directory);
        QueueOptions mine = new QueueOptions(Objects.requireNonNull(options, "options"));
        requireDirectory(directory);
        try {
            QueueDirectory files = QueueDirectory.open(directory, mine.segmentSize, !mine.isBackground,
                    !mine.durability.isPageCache());
            try {
                return open(files, mine);
            } catch (Throwable e) {
                files.close();
                throw e;
            }
        } catch (IOException e) {
            throw new UncheckedIOException("The queue " + directory + " cannot be opened: " + FailureText.of(e), e);
        }
    }

    /** Requires that the path, or its nearest existing parent, is a directory. */
    private static void requireDirectory(Path directory) {
        for (Path path = directory.toAbsolutePath(); path != null; path = path.getParent()) {
            if (Files.isDirectory(path)) {
                return;
            }
            if (Files.exists(path)) {
                throw new QueueException("The queue " + directory + " cannot be opened: " + path
                        + " is a file, and a queue is a directory. Give the path of a directory, which is created if it does not exist");
            }
        }
    }

    private static Queue open(QueueDirectory files, QueueOptions options) throws IOException {
        files.deleteSpares();
        Recovery.Recovered recovered = Recovery.run(files);
        try {
            return new Queue(files, recovered, options);
        } catch (Throwable e) {
            recovered.segments().forEach(SegmentFile::close);
            throw e;
        }
    }

    // --- Appending ---

    private void fill(SegmentFile segment, int position, int length, RecordWriter writer,
            @Nullable MemorySegment second) {
        // A lifetime of its own, so that a writer cannot change a committed record.
        boolean[] inWriter = log.inWriter();
        boolean isInside = inWriter[0];
        Arena arena = Arena.ofConfined();
        inWriter[0] = true;
        try {
            writer.write(segment.file.lendWritable(position + QueueLayout.PAYLOAD, length, arena));
        } finally {
            inWriter[0] = isInside;
            // Not with try-with-resources, which fails if closing throws the same OutOfMemoryError.
            arena.close();
        }
    }

    /**
     * Appends a record. Waits while the queue is full, up to {@link QueueOptions#fullTimeout}.
     *
     * @param payload copied before this returns; may be empty; must not be changed meanwhile
     * @return the record's offset
     * @throws IllegalArgumentException if the record does not fit into one of the queue's files
     * @throws QueueFullException       if there was no room in time, or the thread was interrupted meanwhile; nothing was appended
     * @throws QueuePoisonedException   if writing to the disk has failed
     * @throws QueueException           if there is no room on the disk for another file; nothing was appended
     * @throws IllegalStateException    if the queue or the payload's memory is closed, or if a {@link RecordWriter} calls this and the
     *                                  append would wait for that writer
     */
    public long append(MemorySegment payload) {
        return append(Objects.requireNonNull(payload, "payload").byteSize(), PayloadWriter.SEGMENT, payload, null);
    }

    /**
     * Appends a record; see {@link #append(MemorySegment)}.
     *
     * @param payload copied before this returns; may be empty
     * @return the record's offset
     */
    public long append(byte[] payload) {
        return append(Objects.requireNonNull(payload, "payload").length, PayloadWriter.BYTES, payload, null);
    }

    /**
     * Appends a record; see {@link #append(MemorySegment)}.
     *
     * @param payload its remaining bytes are copied before this returns; its position does not change
     * @return the record's offset
     */
    public long append(ByteBuffer payload) {
        return append(Objects.requireNonNull(payload, "payload").remaining(), PayloadWriter.BUFFER, payload, null);
    }

    /**
     * Appends a record of two parts, without a gap between them; see {@link #append(MemorySegment)}.
     *
     * @param first  copied before this returns; may be empty
     * @param second copied before this returns; may be empty
     * @return the record's offset
     */
    public long append(MemorySegment first, MemorySegment second) {
        Objects.requireNonNull(first, "first");
        Objects.requireNonNull(second, "second");
        return append(first.byteSize() + second.byteSize(), PayloadWriter.PARTS, first, second);
    }

    /**
     * Appends a record that a writer writes in place; see {@link #append(MemorySegment)}. If the writer throws, this method throws the
     * exception and withdraws the record: the record has an offset, but is never delivered. The record's time is the time before the call
     * of the writer.
     *
     * @param size   bytes of the payload
     * @param writer writes all of it, in this thread, before this returns
     * @return the record's offset
     */
    public long append(long size, RecordWriter writer) {
        return append(size, byWriter, Objects.requireNonNull(writer, "writer"), null);
    }

    private <T> long append(long size, PayloadWriter<T> writer, T source, @Nullable MemorySegment second) {
        return isSynced
                ? synced.append(size, writer, source, second)
                : log.append(size, writer, source, second, fullTimeout);
    }

    /**
     * Appends several records at once, with offsets that follow each other; see {@link #append(MemorySegment)}. This costs less than
     * appending them one by one. If one payload cannot be read, no record is appended. If the process is killed meanwhile, the queue may
     * have only the first records.
     *
     * @param payloads at least one; together they must fit into one of the queue's files, and into its maximum number of records; copied
     *                 before this returns
     * @return the offset of the first one
     */
    public long append(List<MemorySegment> payloads) {
        return isSynced ? synced.append(payloads) : log.append(log.batch(payloads), fullTimeout);
    }

    /** Throws if a payload is too large for any record. */
    void requireFits(long size) {
        log.requireFits(size);
    }

    // --- Appending in another way ---

    /**
     * Returns a view that appends records with its own durability. Its records go to the disk when that durability says so, or earlier if
     * the queue's durability does. So a producer can {@linkplain Durability#SYNCED wait} for a single record, or
     * {@linkplain Durability#PAGE_CACHE not wait} for a record although it waits for all others.
     *
     * @param durability of the records that are appended with the view, and so of all records before them
     * @return a view of this queue; the same object as long as callers ask for the same durability
     */
    public Appender with(Durability durability) {
        if (Objects.requireNonNull(durability, "durability").isSynced()) {
            return synced;
        }
        if (durability.isPageCache()) {
            return unsynced;
        }
        Appender last = grouped;
        if (last == null || !last.isWith(durability)) {
            last = new Appender(log, syncer, committer, durability, byWriter, fullTimeout);
            grouped = last;
        }
        return last;
    }

    /**
     * Returns a view that appends records without waiting for the disk, and completes a future when a record is on the disk.
     *
     * @return a view of this queue, always the same
     */
    public AsyncAppender async() {
        return asynchronous;
    }

    /**
     * Waits until all records that were appended before this call are on the disk.
     *
     * @throws QueuePoisonedException if writing to the disk has failed
     * @throws IllegalStateException  if the queue is closed
     */
    public void sync() {
        log.requireNoWriter("sync");
        log.requireOpen();
        syncer.sync(log.nextOffset());
    }

    // --- Reading ---

    /**
     * Returns a consumer group, or creates it if there is none of this name. A new group begins with the first record that is kept.
     *
     * @param name not empty, and at most 249 bytes long; a byte of UTF-8 that is not a-z, 0-9, - or _ counts three times
     * @return the same object for the same name
     * @throws IllegalArgumentException if no group can have this name
     */
    public ConsumerGroup group(String name) {
        Objects.requireNonNull(name, "name");
        log.requireReadable();
        return shown(groups.group(name));
    }

    /**
     * Returns a consumer group that delivers with these options until the queue is closed or this method is called again; see
     * {@link #group(String)}. The options replace earlier ones, also for the group's existing consumers. A logged warning then says what
     * has changed.
     *
     * @param name    not empty
     * @param options how
     * @return the same object for the same name
     * @throws IllegalArgumentException if no group can have this name, or the options send the group's dead letters to this queue
     */
    public ConsumerGroup group(String name, GroupOptions options) {
        Objects.requireNonNull(options, "options").requireOtherQueue(this);
        ConsumerGroup group = group(name);
        GroupOptions before = group.use(new GroupOptions(options));
        String changes = before == null ? "" : before.changesTo(options);
        if (!changes.isEmpty()) {
            System.getLogger("dev.outcrop.queue.Queue").log(System.Logger.Level.WARNING,
                    "Consumer group " + name + " of the queue " + directory.directory()
                            + " was opened again with other options, which count for all of its consumers from now on: "
                            + changes);
        }
        return group;
    }

    /**
     * Returns a consumer group, if there is one of this name.
     *
     * @param name as for {@link #group(String)}
     * @return the same object as {@link #group(String)} for the same name; null if there is none
     * @throws IllegalArgumentException if no group can have this name
     */
    public @Nullable ConsumerGroup findGroup(String name) {
        Objects.requireNonNull(name, "name");
        log.requireReadable();
        Group found = groups.find(name);
        return found == null ? null : shown(found);
    }

    /** Returns the public object of a group, always the same one. */
    private ConsumerGroup shown(Group group) {
        ConsumerGroup there = shownGroups.get(group.name());
        return there != null && there.isOf(group)
                ? there
                : shownGroups.compute(group.name(),
                        (_, known) -> known != null && known.isOf(group) ? known : new ConsumerGroup(group));
    }

    /**
     * Returns the names of the groups.
     *
     * @return their names
     */
    public Set<String> groups() {
        log.requireReadable();
        return groups.names();
    }

    /**
     * Deletes a group with its acknowledgements, and closes its consumers.
     *
     * @param name of the group; nothing happens if there is none
     * @throws UncheckedIOException if its file cannot be deleted; the group is gone, but comes back when the queue is opened again
     */
    public void deleteGroup(String name) {
        Objects.requireNonNull(name, "name");
        log.requireReadable();
        groups.delete(name);
        shownGroups.remove(name);
    }

    // --- State ---

    /**
     * Returns the offset of the first record that is kept.
     *
     * @return the offset; the offset of the next record if none is kept
     */
    public long firstOffset() {
        log.requireReadable();
        return log.firstOffset();
    }

    /**
     * Returns the offset that the next record will get.
     *
     * @return one more than the last record's
     */
    public long nextOffset() {
        log.requireReadable();
        return log.nextOffset();
    }

    /**
     * Returns how many bytes the kept records take in the queue's files, including headers and unused ends of files.
     *
     * @return bytes
     */
    public long bytes() {
        log.requireReadable();
        // First: files that are given back in between must not make it negative.
        long start = log.first().start;
        return log.nextPosition() - start;
    }

    /**
     * Returns the offset up to which the queue is on the disk.
     *
     * @return an offset; all records before it are on the disk
     */
    public long durableOffset() {
        return syncer.durable();
    }

    /**
     * Returns the identity of the queue: a random number that it got when it was made. A copy of its files has the same one.
     *
     * @return the same each time it is opened
     */
    public long id() {
        return directory.queueId();
    }

    /**
     * Returns the directory of the queue.
     *
     * @return the directory of its files
     */
    public Path directory() {
        return directory.directory();
    }

    /**
     * Returns the statistics of the queue since it was opened.
     *
     * @return the statistics, which keep changing
     */
    public QueueStatistics statistics() {
        return statistics;
    }

    @Override
    public String toString() {
        return "queue " + directory.directory();
    }

    /**
     * Ends all appending and reading, writes everything to the disk, and closes the files. Producers that have begun to write a record
     * finish it. Producers that wait for room, and readers that wait for records, get an exception. Open deliveries can be read until they
     * are closed. Closing twice is harmless: the second call waits until the first call has ended, unless the first call waits for the
     * thread of the second.
     *
     * @throws QueuePoisonedException if not everything could be written to the disk
     * @throws QueueException         if the groups' acknowledgements could not be written to the disk, or a file could not be closed; the
     *                                queue is closed nevertheless, and can be opened again
     * @throws IllegalStateException  if called by a {@link RecordWriter} of this queue
     */
    @Override
    public void close() {
        log.requireNoWriter("close");
        log.close();
        // Not in the closing thread: this waits for dependents of a future, which may close the queue too.
        committer.stop();
        boolean isFirst;
        synchronized (steps) {
            isFirst = closer.getState() == Thread.State.NEW;
            if (isFirst) {
                closer.start();
            }
        }
        Uninterrupted.await(closer::join);
        if (isFirst) {
            steps.throwFailure("The queue " + directory.directory() + " cannot be closed");
        }
    }

    /** For tests: advances the clock for records, delays and times, but not for how long a call waits. */
    void advance(Duration time) {
        clock.advance(time);
        readers.wake();
        if (housekeeper != null) {
            housekeeper.wake();
        }
    }

    private void closeAll() {
        steps.take(() -> syncer.sync(log.nextOffset()));
        // If that has failed, some claims are never committed, and the mappings stay.
        boolean isQuiet = !steps.haveFailed();
        if (!isQuiet) {
            // Otherwise the next opening would give away places to which threads still copy.
            steps.take(syncer::awaitCopied);
        }
        if (housekeeper != null) {
            steps.take(housekeeper::stop);
        }
        steps.take(retention::close);
        if (isQuiet) {
            steps.take(this::forceGroups);
        }
        steps.take(groups::close);
        if (!steps.haveFailed()) {
            steps.take(syncer::storeClean);
        }
        steps.take(syncer::close);
        for (SegmentFile segment = log.first(); isQuiet && segment != null; segment = segment.next) {
            steps.take(segment::close);
        }
        // Also after a failure, so that the queue can be opened again.
        steps.take(directory::close);
    }

    private void forceGroups() {
        try {
            groups.force();
        } catch (IOException e) {
            throw new QueueException("What the groups of the queue " + directory.directory()
                    + " have acknowledged may not be on the disk: " + FailureText.of(e) + ". It may be delivered again",
                    e);
        }
    }
}
