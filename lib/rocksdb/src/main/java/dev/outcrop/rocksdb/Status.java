package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeStatus;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Why RocksDB refused or failed an operation.
 *
 * @param code    the kind of failure
 * @param subCode details, {@link SubCode#NONE} if there are none
 * @param message RocksDB's own text, without the words that code and sub-code stand for
 */
public record Status(Code code, SubCode subCode, String message) implements Serializable {
    /** Refuses null. */
    public Status {
        Objects.requireNonNull(code, "code");
        Objects.requireNonNull(subCode, "subCode");
        Objects.requireNonNull(message, "message");
    }

    /** RocksDB's status codes ({@code rocksdb::Status::Code}) that stand for a failure. */
    public enum Code {
        /** Something that must be there is missing, other than a key: a missing key is no failure. */
        NOT_FOUND(1),
        /** Data on disk is damaged. */
        CORRUPTION(2),
        /** The database, as it was opened, cannot do this. */
        NOT_SUPPORTED(3),
        /** An argument or an option is wrong. */
        INVALID_ARGUMENT(4),
        /** The file system failed. */
        IO_ERROR(5),
        /** A merge is under way. */
        MERGE_IN_PROGRESS(6),
        /** The result is not complete, for example because the read was restricted to the cache. */
        INCOMPLETE(7),
        /** The database is shutting down. */
        SHUTDOWN_IN_PROGRESS(8),
        /** A deadline passed. */
        TIMED_OUT(9),
        /** The operation was aborted. */
        ABORTED(10),
        /** A resource or a lock is taken; trying again may work. */
        BUSY(11),
        /** A transaction has expired. */
        EXPIRED(12),
        /** The operation met another one; trying again may work. */
        TRY_AGAIN(13),
        /** A compaction would be too large. */
        COMPACTION_TOO_LARGE(14),
        /** The column family was dropped. */
        COLUMN_FAMILY_DROPPED(15),
        /** A text that begins like none of the above. */
        UNKNOWN(16);

        private final int number;

        Code(int number) {
            this.number = number;
        }
    }

    /** RocksDB's sub-codes ({@code rocksdb::Status::SubCode}). */
    public enum SubCode {
        /** Nothing more is known. */
        NONE(0),
        /** A mutex was not free in time. */
        MUTEX_TIMEOUT(1),
        /** A key's lock was not free in time. */
        LOCK_TIMEOUT(2),
        /** The database holds as many locks as it may. */
        LOCK_LIMIT(3),
        /** The device is full. */
        NO_SPACE(4),
        /** Two transactions wait for each other. */
        DEADLOCK(5),
        /** The file handle is stale. */
        STALE_FILE(6),
        /** A memory limit was reached. */
        MEMORY_LIMIT(7),
        /** The limit that was set for the database's size was reached. */
        SPACE_LIMIT(8),
        /** A file or directory does not exist. */
        PATH_NOT_FOUND(9),
        /** There is no room for all merge operands. */
        MERGE_OPERANDS_INSUFFICIENT_CAPACITY(10),
        /** Manual compaction is paused. */
        MANUAL_COMPACTION_PAUSED(11),
        /** The transaction was not prepared. */
        TXN_NOT_PREPARED(13),
        /** The file system refuses this instance. */
        IO_FENCED(14),
        /** A merge operator failed. */
        MERGE_OPERATOR_FAILED(15),
        /** More operands were merged than the threshold allows. */
        MERGE_OPERAND_THRESHOLD_EXCEEDED(16),
        /** A scan of several ranges reached its limit of prefetched files. */
        PREFETCH_LIMIT_REACHED(17),
        /** RocksDB met a case that it considers impossible. */
        NOT_EXPECTED_CODE_PATH(18),
        /** All compactions were aborted. */
        COMPACTION_ABORTED(19);

        private final int number;

        SubCode(int number) {
            this.number = number;
        }
    }

    /** The status that a C function reports, given the address for its error; null if it is OK. */
    static @Nullable Status of(LongConsumer function, Scratch scratch) {
        // During a call of the user, the failures of other callbacks still have to be reported.
        function.accept(ApiCall.lateError(scratch));
        return ApiCall.status(scratch);
    }

    /** The engine's status, in this API's terms. */
    static Status of(NativeStatus status) {
        return new Status(
                Arrays.stream(Code.values()).filter(each -> each.number == status.code()).findFirst()
                        .orElse(Code.UNKNOWN),
                Arrays.stream(SubCode.values()).filter(each -> each.number == status.subCode()).findFirst()
                        .orElse(SubCode.NONE),
                status.message());
    }

    /** The code in RocksDB's own numbers. */
    int codeNumber() {
        return code.number;
    }

    /** Reads the text that the C API gives in place of a status. */
    static Status parse(String text) {
        return of(NativeStatus.parse(text));
    }

    /** The status as RocksDB words it. */
    @Override
    public String toString() {
        return new NativeStatus(code.number, subCode.number, message).toString();
    }
}
