package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A queue is where its path says, whatever the path's bytes are, unless the path belongs to another file system. */
class QueuePathsTest extends QueueFixture {
    private static List<ThrowingCallable> calls(Path path) {
        return List.of(() -> Queue.open(path).close(), () -> Queue.open(path, new QueueOptions()).close(),
                () -> Tailer.open(path).close(), () -> Tailer.open(path, "name").close(),
                () -> QueueFiles.verify(path), () -> QueueFiles.verify(path, _ -> {
                }), () -> QueueFiles.survey(path), () -> QueueFiles.repair(path), () -> QueueFiles.repair(path, _ -> {
                }), () -> QueueFiles.delete(path), () -> QueueFiles.tailers(path),
                () -> QueueFiles.deleteTailer(path, "name"));
    }

    @Test
    void pathsOfOtherFileSystemsAreRefused() throws IOException {
        try (FileSystem zip = FileSystems.newFileSystem(temporary.resolve("files.zip"), Map.of("create", "true"))) {
            Path missing = zip.getPath("/missing");
            Path there = Files.createDirectory(zip.getPath("/there"));
            Files.createFile(there.resolve("queue"));
            for (Path path : List.of(missing, there)) {
                for (ThrowingCallable call : calls(path)) {
                    assertThatIllegalArgumentException().isThrownBy(call)
                            .withMessage("A queue needs files of the operating system, but the path " + path
                                    + " belongs to a file system of the kind 'jar'. Give a path of the default file system,"
                                    + " as Path.of(String) makes it");
                }
            }
            assertThat(missing).doesNotExist();
            assertThat(there.resolve("queue")).exists();
        }
    }

    @Test
    @SuppressWarnings("NullAway") // what a caller without such a check can do
    void nullIsRefused() {
        for (ThrowingCallable call : calls(null)) {
            assertThatExceptionOfType(NullPointerException.class).isThrownBy(call).withMessage("directory");
        }
    }

    /** Other file systems take only names that are text. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void aNameThatIsNoTextIsAName() throws IOException {
        Path odd = Path.of(URI.create(temporary.toUri() + "%FF%C3%20%25"));
        Sample.fill(odd, 3 * Sample.PER_SEGMENT);
        try (Stream<Path> made = Files.list(temporary)) {
            assertThat(made).containsExactly(odd);
        }
        try (Queue queue = Sample.open(odd); Consumer consumer = queue.group("group").consumer()) {
            assertThat(queue.append(new byte[1])).isEqualTo(3 * Sample.PER_SEGMENT);
            queue.sync();
            assertThat(consumer.poll(1, (offset, _, _) -> consumer.acknowledge(offset))).isEqualTo(1);
            try (Tailer tailer = Tailer.open(odd, "tailer")) {
                assertThat(tailer.poll()).isTrue();
                tailer.commit();
            }
            assertThat(QueueFiles.survey(odd).nextOffset()).isEqualTo(3 * Sample.PER_SEGMENT + 1);
        }
        assertThat(QueueFiles.tailers(odd)).containsExactly("tailer");
        assertThat(QueueFiles.deleteTailer(odd, "tailer")).isTrue();
        assertThat(QueueFiles.verify(odd).isSound()).isTrue();
        Files.write(Sample.segment(odd, Sample.PER_SEGMENT), new byte[100]);
        QueueFiles.repair(odd);
        assertThat(QueueFiles.verify(odd).isSound()).isTrue();
        QueueFiles.delete(odd);
        assertThat(temporary).isEmptyDirectory();
    }
}
