package dev.outcrop.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RocksDB's text for a status, in all its combinations, read and written again. */
class StatusTest {
    /** As {@code Status::ToString} has them, in the order of the code's numbers, which is that of the enum. */
    private static final List<String> CODES = List.of("NotFound: ", "Corruption: ", "Not implemented: ",
            "Invalid argument: ", "IO error: ", "Merge in progress: ", "Result incomplete: ", "Shutdown in progress: ",
            "Operation timed out: ", "Operation aborted: ", "Resource busy: ", "Operation expired: ",
            "Operation failed. Try again.: ", "Compaction too large: ", "Column family dropped: ");
    /** As the table {@code msgs} in RocksDB's {@code util/status.cc} has them, without the one that is no failure. */
    private static final List<String> SUB_CODES = List.of("", "Timeout Acquiring Mutex", "Timeout waiting to lock key",
            "Failed to acquire lock due to max_num_locks limit", "No space left on device", "Deadlock",
            "Stale file handle", "Memory limit reached", "Space limit reached", "No such file or directory",
            "Insufficient capacity for merge operands", "Manual compaction paused", "Txn not prepared",
            "IO fenced off", "Merge operator failed", "Number of operands merged exceeded threshold",
            "MultiScan reached file prefetch limit", "Not expected code path", "All compactions aborted");

    @Test
    void everyCodeHasItsWords() {
        assertThat(Status.Code.values()).hasSize(CODES.size() + 1).endsWith(Status.Code.UNKNOWN);
        assertThat(SUB_CODES).hasSize(Status.SubCode.values().length);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "UNKNOWN")
    void everyCodeWithEverySubCodeIsReadAndWritten(Status.Code code) {
        for (Status.SubCode subCode : Status.SubCode.values()) {
            for (String message : List.of("", "while doing: this", "line\nline", "grüße: {}%s")) {
                String words = SUB_CODES.get(List.of(Status.SubCode.values()).indexOf(subCode));
                String separator = words.isEmpty() || message.isEmpty() ? "" : ": ";
                String text = CODES.get(List.of(Status.Code.values()).indexOf(code)) + words + separator + message;

                Status status = Status.parse(text);

                assertThat(status).as(text).isEqualTo(new Status(code, subCode, message));
                assertThat(status).hasToString(text);
            }
        }
    }

    @Test
    void aMessageThatOnlyBeginsLikeASubCodeIsAMessage() {
        assertThat(Status.parse("Resource busy: Deadlocked by design"))
                .isEqualTo(new Status(Status.Code.BUSY, Status.SubCode.NONE, "Deadlocked by design"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Corruption", "Unknown code(99): what", "anything"})
    void anyOtherTextIsKeptWhole(String text) {
        Status status = Status.parse(text);

        assertThat(status).isEqualTo(new Status(Status.Code.UNKNOWN, Status.SubCode.NONE, text));
        assertThat(status).hasToString(text);
    }
}
