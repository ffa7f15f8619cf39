package dev.outcrop.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class MappedFileTest {
    @TempDir
    private Path directory;

    @Test
    void createdFileIsZeros() throws IOException {
        Path path = directory.resolve("new");
        MappedFile.create(path, 10_000);
        assertThat(path).hasBinaryContent(new byte[10_000]);
    }

    @Test
    void noMoreIsMappedThanWasWanted() throws IOException {
        Path path = Files.writeString(directory.resolve("file"), "content");
        try (MappedFile beginning = MappedFile.openReadOnly(path, 3);
                MappedFile writable = MappedFile.open(path, 5);
                MappedFile whole = MappedFile.open(path, 100)) {
            assertThat(beginning.memory().byteSize()).isEqualTo(3);
            assertThat(writable.memory().byteSize()).isEqualTo(5);
            assertThat(whole.memory().byteSize()).isEqualTo(7);
        }
    }

    @Test
    void onlyRegularFilesAreMapped() throws IOException {
        Path path = Files.writeString(directory.resolve("file"), "content");
        Path link = Files.createSymbolicLink(directory.resolve("link"), path);
        Path device = Files.createSymbolicLink(directory.resolve("device"), Path.of("/dev/null"));
        for (Path each : new Path[]{link, device, directory}) {
            assertThatThrownBy(() -> MappedFile.open(each)).isInstanceOf(IOException.class)
                    .hasMessageContainingAll(each.toString(), "is not a regular file but a ",
                            "Move it to another place");
            assertThatThrownBy(() -> MappedFile.openReadOnly(each)).isInstanceOf(IOException.class)
                    .hasMessageContaining("is not a regular file");
            assertThatThrownBy(() -> MappedFile.reserve(each)).isInstanceOf(IOException.class)
                    .hasMessageContaining("is not a regular file");
        }
    }

    @Test
    void theFileIsKnownByEveryName() throws IOException {
        Path path = Files.writeString(directory.resolve("file"), "content");
        Path other = directory.resolve("other");
        try (MappedFile whole = MappedFile.open(path); MappedFile beginning = MappedFile.open(path, 3)) {
            assertThat(whole.isAt(path)).isTrue();
            assertThat(beginning.isAt(path)).isTrue();
            assertThat(whole.isAt(other)).isFalse();
            Files.move(path, other);
            assertThat(whole.isAt(other)).isTrue();
            Files.writeString(path, "content");
            assertThat(whole.isAt(path)).as("another file of the same content").isFalse();
            Path link = Files.createSymbolicLink(directory.resolve("link"), other);
            assertThat(whole.isAt(link)).isFalse();
            Files.writeString(other, "longer content");
            assertThat(whole.isAt(other)).isFalse();
            assertThat(beginning.isAt(other)).isTrue();
        }
    }

    @Test
    void fileThatWasThereBeforeStays() throws IOException {
        Path path = Files.writeString(directory.resolve("old"), "content");
        assertThatThrownBy(() -> MappedFile.create(path, 10_000)).isInstanceOf(FileAlreadyExistsException.class)
                .hasMessageContaining(path.toString());
        assertThat(path).hasContent("content");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void whatCannotBeReadIsFound() throws IOException {
        Path path = directory.resolve("file");
        MappedFile.create(path, 1 << 20);
        try (MappedFile file = MappedFile.open(path)) {
            assertThat(file.populateForReading(0, 1 << 20)).isTrue();
            try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
                channel.truncate(1 << 19);
            }
            assertThat(file.populateForReading(0, 1 << 20)).isFalse();
            assertThat(file.populateForReading(1 << 19, (1 << 19) + 1)).isFalse();
            assertThat(file.populateForReading(100, 1 << 19)).isTrue();
            assertThat(file.populateForReading(1 << 20, 1 << 20)).isTrue();
        }
    }

    @Test
    void hugePagesAreUsedOnRequest() throws IOException {
        Path path = directory.resolve("new");
        MappedFile.create(path, 4 << 20);
        Path hugePages = Path.of("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size");
        boolean canUse = Files.exists(hugePages) && Posix.pageSize() == 4096;
        try (MappedFile file = MappedFile.open(path); MappedFile empty = MappedFile.open(path, 0)) {
            assertThat(file.usesHugePages()).isFalse();
            file.useHugePages();
            file.useHugePages();
            assertThat(file.usesHugePages()).isEqualTo(canUse);
            file.memory().set(ValueLayout.JAVA_BYTE, (4 << 20) - 1, (byte) 1);
            empty.useHugePages();
            assertThat(empty.usesHugePages()).isFalse();
            file.useSmallPages(path, 1 << 20, 4 << 20);
            assertThat(file.usesHugePages()).isEqualTo(canUse);
            assertThat(file.memory().get(ValueLayout.JAVA_BYTE, (4 << 20) - 1)).isEqualTo((byte) 1);
            file.useSmallPages(path, 0, 4 << 20);
            assertThat(file.usesHugePages()).isFalse();
            file.memory().set(ValueLayout.JAVA_BYTE, 0, (byte) 2);
            empty.useSmallPages(path, 0, 0);
        }
        assertThat(Files.readAllBytes(path)).startsWith(2).endsWith(1);
    }

    /** Also one that comes in the middle, which closes the channel that the file is mapped through. */
    @Test
    void interruptsMakeNoMappingFail() throws Exception {
        Path path = Files.writeString(directory.resolve("file"), "content");
        Thread mapping = Thread.currentThread();
        AtomicBoolean isOver = new AtomicBoolean();
        Thread interrupting = Thread.ofPlatform().start(() -> {
            while (!isOver.get()) {
                mapping.interrupt();
                LockSupport.parkNanos(200_000);
            }
        });
        try {
            // Until one has come, too: the thread may get no processor for as long as the others take.
            for (int i = 0; i < 3000 || !mapping.isInterrupted(); i++) {
                MappedFile.open(path).close();
            }
        } finally {
            isOver.set(true);
            while (interrupting.isAlive()) {
                Thread.onSpinWait();
            }
            assertThat(Thread.interrupted()).isTrue();
        }
    }
}
