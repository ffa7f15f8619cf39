package dev.outcrop.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outcrop.testsupport.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.ResourceBundle;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What RocksDB logs goes to a Java object. */
class InfoLoggerTest {
    private final CallbackLog log = new CallbackLog();
    @TempDir
    private Path directory;

    @AfterEach
    void closeLog() {
        log.close();
    }

    private record Line(InfoLogLevel level, String message) {
    }

    private void use(Options options) {
        try (RocksDB db = RocksDB.open(directory, options.createIfMissing(true))) {
            db.put(Bytes.of("key"), Bytes.of("value"));
            db.flush();
            db.compact();
        }
    }

    @Test
    void messagesGoThereInsteadOfToAFile() {
        List<Line> lines = Collections.synchronizedList(new ArrayList<>());
        use(new Options().infoLog((level, message) -> lines.add(new Line(level, message)), InfoLogLevel.INFO));

        assertThat(lines).extracting(Line::message).anyMatch(message -> message.contains("RocksDB version: 11.8.1"))
                .anyMatch(message -> message.contains("Manual compaction starting"))
                .anyMatch(message -> message.contains("EVENT_LOG_v1"));
        assertThat(lines).extracting(Line::level).contains(InfoLogLevel.INFO).doesNotContain(InfoLogLevel.DEBUG);
        assertThat(directory.resolve("LOG")).doesNotExist();
    }

    @Test
    void onlyMessagesOfItsLevelAreSent() {
        List<Line> lines = Collections.synchronizedList(new ArrayList<>());
        use(new Options().infoLog((level, message) -> lines.add(new Line(level, message)), InfoLogLevel.WARN));

        assertThat(lines).extracting(Line::level).doesNotContain(InfoLogLevel.DEBUG, InfoLogLevel.INFO);
    }

    @Test
    void whatItThrowsReachesTheCaller() {
        RuntimeException failure = new IllegalStateException("on purpose");
        Options failing = new Options().createIfMissing(true).infoLog((_, _) -> {
            throw failure;
        }, InfoLogLevel.INFO);
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> RocksDB.open(directory, failing)).isSameAs(failure);
        }
        // It is not left open.
        use(new Options());
    }

    @Test
    void whatWasMadeWhileItThrewIsThere() {
        AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();
        Options failing = new Options().createIfMissing(true).infoLog((_, _) -> {
            RuntimeException thrown = failure.get();
            if (thrown != null) {
                throw thrown;
            }
        }, InfoLogLevel.INFO);
        try (RocksDB db = RocksDB.open(directory, failing)) {
            RuntimeException thrown = new IllegalStateException("on purpose");
            failure.set(thrown);
            assertThatThrownBy(() -> db.createColumnFamily("users", new Options())).isSameAs(thrown);
            failure.set(null);
            ColumnFamily users = db.columnFamily("users");
            users.put(Bytes.of("key"), Bytes.of("1"));
            assertThat(users.get(Bytes.of("key"))).isEqualTo(Bytes.of("1"));
            db.dropColumnFamily(users);
        }
    }

    @Test
    void messagesCanGoToALoggerOfTheSystem() {
        List<String> lines = Collections.synchronizedList(new ArrayList<>());
        System.Logger logger = new System.Logger() {
            @Override
            public String getName() {
                return "test";
            }

            @Override
            public boolean isLoggable(Level level) {
                return true;
            }

            @Override
            public void log(Level level, @Nullable ResourceBundle bundle, String message, @Nullable Throwable thrown) {
                lines.add(level + " " + message);
            }

            @Override
            public void log(Level level, @Nullable ResourceBundle bundle, String format, @Nullable Object... values) {
                lines.add(level + " " + format);
            }
        };
        InfoLogger adapter = InfoLogger.to(logger);
        for (InfoLogLevel level : InfoLogLevel.values()) {
            adapter.log(level, "{0}");
        }
        assertThat(lines).containsExactly("DEBUG {0}", "INFO {0}", "WARNING {0}", "ERROR {0}", "ERROR {0}", "INFO {0}");

        use(new Options().infoLog(adapter, InfoLogLevel.INFO));
        assertThat(lines).anyMatch(line -> line.startsWith("INFO ") && line.contains("RocksDB version"));
    }

    /** Opens a database that logs to the standard error stream. */
    static final class LogToStandardError {
        static void main(String[] arguments) {
            RocksDB.open(Path.of(arguments[0]),
                    new Options().createIfMissing(true).infoLogToStandardError("prefix-of-test", InfoLogLevel.INFO))
                    .close();
        }
    }

    @Test
    @Tag("verify")
    void messagesCanGoToTheStandardErrorStream() throws IOException, InterruptedException {
        ChildJvm.Result result = ChildJvm.shortLived().run(LogToStandardError.class, directory);

        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("prefix-of-test").contains("RocksDB version: 11.8.1");
        assertThat(Files.exists(directory.resolve("LOG"))).isFalse();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Options().infoLogToStandardError("a\0b", InfoLogLevel.INFO));
    }
}
