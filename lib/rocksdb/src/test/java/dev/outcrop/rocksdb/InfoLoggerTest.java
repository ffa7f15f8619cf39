package dev.outcrop.rocksdb;

import dev.outcrop.testsupport.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ResourceBundle;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** RocksDB's info log goes to a logger in Java. */
class InfoLoggerTest extends DatabaseTest {
    {
        closeLater(new CallbackLog());
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
        List<Line> lines = new CopyOnWriteArrayList<>();
        use(new Options().infoLog((level, message) -> lines.add(new Line(level, message)), InfoLogLevel.INFO));

        assertThat(lines).extracting(Line::message).anyMatch(message -> message.contains("RocksDB version: 11.8.1"))
                .anyMatch(message -> message.contains("Manual compaction starting"))
                .anyMatch(message -> message.contains("EVENT_LOG_v1"));
        assertThat(lines).extracting(Line::level).contains(InfoLogLevel.INFO).doesNotContain(InfoLogLevel.DEBUG);
        assertThat(directory.resolve("LOG")).doesNotExist();
    }

    @Test
    void onlyMessagesOfItsLevelAreSent() {
        List<Line> lines = new CopyOnWriteArrayList<>();
        use(new Options().infoLog((level, message) -> lines.add(new Line(level, message)), InfoLogLevel.WARN));

        assertThat(lines).extracting(Line::level).doesNotContain(InfoLogLevel.DEBUG, InfoLogLevel.INFO);
    }

    @Test
    void itsExceptionsReachTheCaller() {
        RuntimeException failure = new IllegalStateException("on purpose");
        Options failing = create().infoLog((_, _) -> {
            throw failure;
        }, InfoLogLevel.INFO);
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> RocksDB.open(directory, failing)).isSameAs(failure);
        }
        // It is not left open.
        use(new Options());
    }

    @Test
    void objectsMadeWhileItThrewAreThere() {
        AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();
        Options failing = create().infoLog((_, _) -> {
            RuntimeException thrown = failure.get();
            if (thrown != null) {
                throw thrown;
            }
        }, InfoLogLevel.INFO);
        RocksDB db = closeLater(RocksDB.open(directory, failing));
        RuntimeException thrown = new IllegalStateException("on purpose");
        failure.set(thrown);
        assertThatThrownBy(() -> db.createColumnFamily("users", new Options())).isSameAs(thrown);
        failure.set(null);
        ColumnFamily users = db.columnFamily("users");
        users.put(Bytes.of("key"), Bytes.of("1"));
        assertThat(users.get(Bytes.of("key"))).isEqualTo(Bytes.of("1"));
        db.dropColumnFamily(users);
    }

    @Test
    void messagesCanGoToALoggerOfTheSystem() {
        List<String> lines = new CopyOnWriteArrayList<>();
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
            RocksDB.open(Path.of(arguments[0]), create().infoLogToStandardError("prefix-of-test", InfoLogLevel.INFO))
                    .close();
        }
    }

    @Test
    @Tag("verify")
    void messagesCanGoToTheStandardErrorStream() throws IOException, InterruptedException {
        String output = output(ChildJvm.shortLived(), LogToStandardError.class, directory);
        assertThat(output).contains("prefix-of-test").contains("RocksDB version: 11.8.1");
        assertThat(Files.exists(directory.resolve("LOG"))).isFalse();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Options().infoLogToStandardError("a\0b", InfoLogLevel.INFO));
    }
}
