package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outcrop.queue.internal.files.QueueLock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Only one process at a time has a queue open for writing, and the exception of the others names it. */
class QueueLockTest {
    static {
        // Which users of the lowest floors alone do themselves.
        QueueFailures.install();
    }

    @TempDir
    private Path temporary;

    @Test
    void sameProcessIsRefusedAndKeepsItsLock() throws IOException {
        Path directory = temporary.resolve("queue");
        long pid = ProcessHandle.current().pid();
        Path link = Files.createSymbolicLink(temporary.resolve("link"), directory);
        try (Queue queue = Sample.open(directory)) {
            for (Path name : new Path[]{directory, link, directory.resolve("../queue"), directory}) {
                assertThatThrownBy(() -> Queue.open(name)).isInstanceOf(QueueLockedException.class)
                        .hasMessageContaining("in this process already (pid " + pid + ")");
                assertThatThrownBy(() -> QueueFiles.verify(name)).isInstanceOf(QueueLockedException.class);
                assertThatThrownBy(() -> QueueFiles.repair(name)).isInstanceOf(QueueLockedException.class);
            }
            assertThat(queue.append(new byte[1])).isZero();
            // No attempt has let go of the lock: another process does not get it.
            try (RunningJvm child = RunningJvm.start(HoldLockProgram.class, directory, "queue")) {
                assertThatThrownBy(child::readLine).hasMessageContaining("has ended");
                child.kill();
                assertThat(child.exitValue()).isNotZero();
            }
            // The very last, because it lets go of the lock to open and close the file here.
            assertThat(Files.readString(directory.resolve("lock"))).startsWith(pid + "\n");
        }
        assertThat(directory.resolve("lock")).isEmptyFile();
        Sample.open(directory).close();
    }

    @Test
    @Tag("verify")
    void otherProcessIsNamedAndItsDeathIsNoObstacle() throws IOException {
        Path directory = temporary.resolve("queue");
        try (RunningJvm child = RunningJvm.start(HoldLockProgram.class, directory, "queue")) {
            assertThat(child.readLine()).isEqualTo("open");
            assertThatThrownBy(() -> Queue.open(directory)).isInstanceOf(QueueLockedException.class)
                    .hasMessageContaining("open for writing in the process with pid " + child.pid() + ", started ");
            assertThatThrownBy(() -> QueueFiles.verify(directory)).isInstanceOf(QueueLockedException.class)
                    .hasMessageContaining("pid " + child.pid());
            child.kill();
            assertThat(Files.readString(directory.resolve("lock"))).as("left by the killed process")
                    .startsWith(child.pid() + "\n");
        }
        try (Queue queue = Queue.open(directory)) {
            assertThat(queue.nextOffset()).isZero();
        }
        assertThat(QueueFiles.verify(directory).isSound()).isTrue();
    }

    @Test
    void stalePidIsNotCalledTheHolder() throws IOException {
        Path directory = Files.createDirectory(temporary.resolve("queue"));
        Path lock = directory.resolve("lock");
        // A process that runs, but was started at another time than the one that left this.
        Files.writeString(lock, ProcessHandle.current().pid() + "\n2001-01-01T00:00:00Z\n");
        try (RunningJvm child = RunningJvm.start(HoldLockProgram.class, directory, "silently")) {
            assertThat(child.readLine()).isEqualTo("open");
            assertThatThrownBy(() -> QueueLock.acquire(directory)).isInstanceOf(QueueLockedException.class)
                    .hasMessageContaining("another process, not seen from here")
                    .hasMessageContaining("or it has ended since");
            for (String text : new String[]{"", "\n", "nonsense\nmore", "12345678901234567890\n"}) {
                Files.writeString(lock, text);
                assertThatThrownBy(() -> QueueLock.acquire(directory)).isInstanceOf(QueueLockedException.class)
                        .hasMessageContaining("which has not yet said which one");
            }
        }
        Files.writeString(lock, "1\n2001-01-01T00:00:00Z\n".repeat(1000));
        QueueLock held = QueueLock.acquire(directory);
        assertThat(Files.readString(lock)).startsWith(ProcessHandle.current().pid() + "\n").hasLineCount(2);
        held.close();
        held.close();
        assertThat(lock).isEmptyFile();
    }

    @Test
    void lockOfAnInterruptedThreadIsLetGoOf() throws IOException {
        QueueLock held = QueueLock.acquire(temporary);
        Thread.currentThread().interrupt();
        try {
            held.close();
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        QueueLock.acquire(temporary).close();
    }

    @Test
    void directoryMustExist() {
        assertThatThrownBy(() -> QueueLock.acquire(temporary.resolve("none"))).isInstanceOf(IOException.class);
    }
}
