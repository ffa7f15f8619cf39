package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.callbacks.KeyText;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * What to say when transactions meet. RocksDB's own messages name neither the key nor a remedy, and the C API does not tell which
 * transaction holds a lock. All of this is made when something has failed, never before.
 */
final class Conflicts {
    private static final String RETRY = " Roll back and try again, as transact(work) does";
    private static final int KEYS_SHOWN = 5;

    private Conflicts() {
    }

    /**
     * A key that could not be locked, or must not be written.
     *
     * @param wait for how long the lock was waited for, see {@link #timeout}
     */
    static RocksDBException ofKey(Status status, Family family, MemorySegment key, String wait) {
        return of(status, "the key " + KeyText.of(key) + " of the " + family, wait);
    }

    /** One of several keys that are read for update at once. */
    static RocksDBException ofKeys(Status status, Family family, List<byte[]> keys, String wait) {
        return of(status, "one of " + shown(keys.stream().map(KeyText::of).toList()) + " of the " + family, wait);
    }

    /** One of several keys that are written at once. */
    static RocksDBException ofBatch(Status status, Store store, WriteBatch batch, String wait) {
        return status.subCode() == Status.SubCode.NONE
                ? new RocksDBException(status)
                : of(status, "one of " + keys(batch) + " of the " + store, wait);
    }

    /** A transaction that locks nothing and is refused when it commits. */
    static RocksDBException ofCommit(Status status, Store store, Supplier<WriteBatch> changes) {
        return switch (status.code()) {
            case BUSY -> new RocksDBException(status,
                    status(status) + "another transaction or write has changed a key of the "
                            + store + " that this transaction wrote or read for update, since then; it wrote "
                            + keys(changes.get()) + "."
                            + RETRY + ". If that happens often, a TransactionDB, which locks keys, suits better");
            case TRY_AGAIN -> new RocksDBException(status,
                    status(status) + "this transaction wrote " + keys(changes.get())
                            + ", and the memtables of the " + store + " do not go back to when it did." + RETRY
                            + ", or keep more with new Options().maxWriteBufferSizeToMaintain(bytes)");
            default -> new RocksDBException(status);
        };
    }

    private static RocksDBException of(Status status, String what, String wait) {
        String reason = switch (status.subCode()) {
            case LOCK_TIMEOUT,
                    MUTEX_TIMEOUT ->
                "another transaction or write held the lock of " + what + " for longer than "
                        + wait + "." + RETRY + ". To make it rare, keep transactions short, lock keys in the same order"
                        + " everywhere, or raise the time-out. If two transactions wait for each other,"
                        + " new TransactionOptions().deadlockDetect(true) says so at once";
            case DEADLOCK ->
                "waiting for the lock of " + what + " would be a deadlock: the transaction that holds it waits,"
                        + " itself or through others, for a lock of this one." + RETRY
                        + ". To make it rare, lock keys in the same order everywhere";
            case LOCK_LIMIT -> what + " cannot be locked: there are as many locks as"
                    + " new TransactionDBOptions().maxNumLocks(locks) allows." + RETRY + ", or raise it";
            case NONE -> switch (status.code()) {
                case BUSY -> what + " was written by another transaction or write after this one's snapshot." + RETRY;
                case TRY_AGAIN -> "whether " + what + " was written after the snapshot cannot be told, because the"
                        + " memtables do not go back so far." + RETRY
                        + ", or keep more with new Options().maxWriteBufferSizeToMaintain(bytes)";
                case EXPIRED -> "the transaction was too old for " + what
                        + ". Begin another, or set a longer time with new TransactionOptions().expiration(duration)";
                default -> "";
            };
            default -> "";
        };
        return reason.isEmpty() ? new RocksDBException(status) : new RocksDBException(status, status(status) + reason);
    }

    /** What RocksDB says, and a colon. */
    private static String status(Status status) {
        return status.toString().replaceFirst(":? *$", "") + ": ";
    }

    /** How long a lock is waited for, for messages. */
    static String timeout(Duration timeout, String option) {
        // RocksDB's own form of "for ever" is any negative number.
        return "the lock time-out of " + timeout.toMillis() + " ms (" + option + ")";
    }

    private static String keys(WriteBatch batch) {
        List<String> keys = new ArrayList<>();
        try {
            batch.forEach(new Keys(keys));
        } catch (RocksDBException | IllegalStateException e) {
            // Only RocksDB understands what follows, or another thread is changing it.
            keys.add("others");
        }
        return shown(keys);
    }

    private static String shown(List<String> keys) {
        String first = keys.stream().limit(KEYS_SHOWN).collect(Collectors.joining(", "));
        int more = keys.size() - KEYS_SHOWN;
        return keys.isEmpty()
                ? "no key"
                : (keys.size() == 1 ? "the key " : "the keys ") + first + (more > 0 ? " and " + more + " more" : "");
    }

    private record Keys(List<String> keys) implements WriteBatchHandler {
        private void add(MemorySegment key) {
            // The text of the rest is never seen.
            keys.add(keys.size() < KEYS_SHOWN ? KeyText.of(key) : "");
        }

        @Override
        public void put(int family, MemorySegment key, MemorySegment value) {
            add(key);
        }

        @Override
        public void delete(int family, MemorySegment key) {
            add(key);
        }

        @Override
        public void singleDelete(int family, MemorySegment key) {
            add(key);
        }

        @Override
        public void deleteRange(int family, MemorySegment begin, MemorySegment end) {
            add(begin);
        }

        @Override
        public void merge(int family, MemorySegment key, MemorySegment operand) {
            add(key);
        }

        @Override
        public void putEntity(int family, MemorySegment key, List<WideColumn> columns) {
            add(key);
        }

        @Override
        public void logData(MemorySegment data) {
            // It has no key.
        }
    }
}
