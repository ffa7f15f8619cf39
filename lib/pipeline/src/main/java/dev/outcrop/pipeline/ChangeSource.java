package dev.outcrop.pipeline;

import dev.outcrop.queue.Queue;
import dev.outcrop.queue.Tailer;
import dev.outcrop.rocksdb.LoadedOptions;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.RocksDBException;
import dev.outcrop.rocksdb.Status;
import dev.outcrop.rocksdb.WalFile;
import dev.outcrop.rocksdb.WalIterator;
import dev.outcrop.rocksdb.WriteBatch;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** The log of a database, starting with the first change that a queue does not have. For one thread. */
final class ChangeSource implements AutoCloseable {
    private static final String NOT_COMPRESSED = "kNoCompression";

    private final RocksDB db;
    private final String name;
    private final FamilyNames names;
    /** The last change at the start. */
    private final long latestAtStart;
    private long next;
    /** Whether a batch must begin with the next change. If the caller has said where to start, a batch may begin before that change. */
    private boolean isExact;
    private @Nullable WalIterator log;

    /** Finds where to begin. Refuses if a change would be missing in the queue, or would be there twice. */
    ChangeSource(ChangeFeedBuilder options, Queue queue, String name) {
        this.db = options.db;
        this.name = name;
        requireReadable();
        this.names = new FamilyNames(db);
        this.latestAtStart = db.latestSequenceNumber();
        Change last = last(queue);
        this.next = last == null ? first(options, queue) : behind(options, last);
        this.isExact = last != null;
        if (next > db.latestSequenceNumber() + 1) {
            throw refusal("the database is at change " + db.latestSequenceNumber() + ", but " + (last == null
                    ? "it is to start with change " + next + ". Give startAt a number up to "
                            + (db.latestSequenceNumber() + 1)
                    : "the queue has changes up to " + (next - 1)
                            + ": the database has lost them, probably in a power cut, or is a backup."
                            + " Replicas made from the queue have changes that the database does not have. Start anew, from a checkpoint and with an"
                            + " empty queue; with durability(Durability.SYNCED) a power cut does not do this"));
        }
        if (last != null) {
            requireSame(last);
        }
        requireThere();
    }

    /** Refuses databases with a log that does not tell everything. */
    private void requireReadable() {
        if (db.hasTtl()) {
            throw refusal(
                    "the database was opened with a time to live, so each value in its log ends with the four bytes of a time,"
                            + " which a replica would take for a part of the value. Copy its entries with a scan instead");
        }
        // A database in memory has no directory.
        Map<String, Map<String, String>> stored = Files.isDirectory(db.path())
                ? LoadedOptions.sections(db.path())
                : Map.of();
        String compression = stored.getOrDefault("DBOptions", Map.of()).getOrDefault("wal_compression", NOT_COMPRESSED);
        if (!compression.equals(NOT_COMPRESSED)) {
            throw refusal("the database compresses its log (walCompression is " + compression
                    + "), and until it is opened again, RocksDB may not find some changes in such a log. Open it with"
                    + " CompressionType.NONE for walCompression");
        }
    }

    /** Finds the last change in the queue. Only withdrawn records come after it. */
    private static @Nullable Change last(Queue queue) {
        try (Tailer tailer = Tailer.open(queue.directory())) {
            for (long offset = queue.nextOffset() - 1; offset >= queue.firstOffset(); offset--) {
                tailer.seek(offset);
                if (tailer.poll()) {
                    Change there = Change.read(tailer.segment());
                    // Copied, because the payload becomes invalid when the tailer is closed.
                    return new Change(there.first(), there.count(), there.families(),
                            MemorySegment.ofArray(there.batch().toArray(ValueLayout.JAVA_BYTE)));
                }
            }
            return null;
        }
    }

    private long first(ChangeFeedBuilder options, Queue queue) {
        if (options.startAt < 0 && queue.nextOffset() > 0) {
            throw refusal("the queue has given up all changes that it had, and which came last is unknown. Say with"
                    + " startAt(sequenceNumber) which is the next one; with keepBytes in the queue's options this cannot happen");
        }
        return Math.max(1, options.startAt);
    }

    private long behind(ChangeFeedBuilder options, Change last) {
        Map<Integer, String> _ = names.of(WriteBatch.of(last.batch()));
        long end = following(last, names.emptyRanges());
        if (options.startAt >= 0 && options.startAt != end) {
            throw refusal("the queue has changes up to " + (end - 1)
                    + " already, and it cannot go on with change " + options.startAt
                    + ". Leave startAt out, or take an empty queue");
        }
        return end;
    }

    /**
     * Returns the number of the change after a batch. When RocksDB recovers its log, it does not count empty ranges
     * ({@code MemTableInserter::DeleteRangeCF} returns before it advances the sequence number). So after a crash the next batch, which is
     * the first one of a file, may have numbers that the previous batch had already.
     */
    private long following(Change batch, int emptyRanges) {
        long end = batch.end();
        // The number of the first batch of this process, and perhaps also of an earlier batch that was not counted. After it, the numbers
        // are consecutive.
        long firstOfProcess = latestAtStart + 1;
        if (emptyRanges == 0 || batch.first() > firstOfProcess) {
            return end;
        }
        db.flushWal(false);
        LongStream starts = db.walFiles().stream().mapToLong(WalFile::startSequence);
        // Adds the start of this process's file, which has no number yet if the file is empty.
        long[] again = (batch.first() < firstOfProcess
                ? LongStream.concat(starts, LongStream.of(firstOfProcess))
                : starts)
                .filter(start -> start >= end - emptyRanges && start < end).sorted().toArray();
        if (again.length == 0) {
            return end;
        }
        if (again[0] > batch.first()) {
            return again[0];
        }
        // The batch changes nothing, and another batch that begins with the same change is the first one of this file or of the next file.
        try (WalIterator changes = db.updatesSince(batch.first())) {
            if (!changes.next() || changes.data().mismatch(batch.batch()) != -1) {
                return batch.first();
            }
        }
        if (again.length > 1) {
            throw new PipelineException("It cannot go on: the log of the database has more than one change "
                    + batch.first()
                    + ", and RocksDB shows one of them only. Start anew, from a checkpoint and with an empty queue");
        }
        return end;
    }

    /** Requires that the log still has the same change as the queue's last one, unless the log has deleted it. */
    private void requireSame(Change last) {
        try (WalIterator changes = db.updatesSince(last.first())) {
            // A batch that begins before the change and includes it is another batch, too.
            if (changes.next() && changes.sequenceNumber() <= last.first()
                    && (changes.sequenceNumber() < last.first() || changes.data().mismatch(last.batch()) != -1)) {
                throw refusal("change " + last.first()
                        + " in the queue is not the one in the log of the database: the database has lost"
                        + " changes, probably in a power cut, and others took their place; or it is another database. Start anew, from a"
                        + " checkpoint and with an empty queue");
            }
        } catch (RocksDBException e) {
            requireGap(e);
        }
    }

    private static void requireGap(RocksDBException e) {
        if (e.status().code() != Status.Code.NOT_FOUND) {
            throw e;
        }
    }

    /** Requires that the log has the next change, if there is one. */
    private void requireThere() {
        if (next > db.latestSequenceNumber()) {
            return;
        }
        boolean isThere = false;
        db.flushWal(false);
        try (WalIterator changes = db.updatesSince(next)) {
            isThere = changes.next() && changes.sequenceNumber() <= next;
        } catch (RocksDBException e) {
            requireGap(e);
        }
        if (!isThere) {
            throw refusal(gone());
        }
    }

    private String gone() {
        return "the log of the database has no longer change " + next
                + ", the next one for the queue (the database is at "
                + db.latestSequenceNumber()
                + "). Start anew: from a checkpoint, with startAt(its latestSequenceNumber() + 1) and an empty"
                + " queue. To keep the log for longer, set WALTtlSeconds or WALSizeLimitMB in the options of the database";
    }

    /** Returns the sequence number of the next change for the queue. */
    long next() {
        return next;
    }

    /**
     * Moves to the next batch, if there is one. The result has no families if the queue takes nothing of the batch. Valid until the next
     * call.
     */
    @Nullable
    Change advance() {
        if (next > db.latestSequenceNumber()) {
            return null;
        }
        WalIterator changes = log;
        if (changes == null) {
            changes = db.updatesSince(next);
            log = changes;
        }
        try {
            if (!changes.next()) {
                return null;
            }
        } catch (RocksDBException e) {
            requireGap(e);
            throw new PipelineException("It cannot go on: " + gone(), e);
        }
        long first = changes.sequenceNumber();
        if (first > next || (first < next && isExact)) {
            throw new PipelineException("It cannot go on: " + gone());
        }
        Change change = Change.of(first, names.of(changes.batch()), changes.data());
        return first == next ? change : begunBefore(change);
    }

    /**
     * A checkpoint does not count empty ranges either, see {@link #following}: it may have a whole batch, although its last number says
     * otherwise.
     */
    private Change begunBefore(Change change) {
        if (change.end() - names.emptyRanges() > next) {
            throw new PipelineException("It cannot begin with change " + next
                    + ", in the middle of a batch that was written at once: changes "
                    + change.first() + " to " + (change.end() - 1) + ". Say startAt(" + change.first()
                    + ") to have them, or startAt("
                    + change.end() + ")");
        }
        return Change.of(change.first(), Map.of(), change.batch());
    }

    /** Notes that the batch of {@link #advance} is in the queue. */
    void took(Change change) {
        next = following(change, names.emptyRanges());
        isExact = true;
        if (next < change.end()) {
            // Closed, because RocksDB's iterator would look for the end of this batch, and leave out batches with earlier numbers.
            close();
            log = null;
        }
    }

    private PipelineException refusal(String why) {
        return new PipelineException("The " + name + " does not start: " + why);
    }

    @Override
    public void close() {
        WalIterator changes = log;
        if (changes != null) {
            changes.close();
        }
    }
}
