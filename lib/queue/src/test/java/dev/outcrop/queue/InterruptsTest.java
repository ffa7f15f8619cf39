package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.memory.Uninterrupted;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Interrupts close file channels, whenever they come. Nothing of the queue may fail because of that. */
class InterruptsTest {
    private static final int ROUNDS = 30;
    private static final int RECORDS = 6;
    /** Two fit into a file. */
    private static final byte[] RECORD = new byte[3000];

    @TempDir
    private Path directory;

    private final AtomicBoolean isOver = new AtomicBoolean();
    private Thread interrupting = Thread.currentThread();

    private static QueueOptions options() {
        return new QueueOptions().segmentSize(8192).backgroundThread(false);
    }

    @Test
    void threadsOfTheQueueGoOnResting() throws InterruptedException {
        stopInterrupting();
        try (Queue queue = Queue.open(directory)) {
            assertThat(queue.async().append(RECORD).join()).isZero();
            List<Thread> threads = Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().endsWith(" " + queue.directory())).toList();
            assertThat(threads).hasSize(2);
            threads.forEach(Thread::interrupt);
            for (Thread thread : threads) {
                // As long as it is interrupted it cannot park.
                Polls.waitWhile(() -> thread.isInterrupted());
            }
        }
    }

    @BeforeEach
    void interruptAllTheTime() {
        Thread tested = Thread.currentThread();
        interrupting = Thread.ofPlatform().start(() -> {
            while (!isOver.get()) {
                tested.interrupt();
                LockSupport.parkNanos(1);
            }
        });
    }

    @AfterEach
    void stopInterrupting() {
        isOver.set(true);
        Uninterrupted.await(interrupting::join);
        boolean _ = Thread.interrupted();
    }

    @Test
    void opensAppendsAndGivesBack() {
        for (int round = 0; round < ROUNDS; round++) {
            try (Queue queue = Queue.open(directory, options()); Consumer consumer = queue.group("g").consumer()) {
                for (int i = 0; i < RECORDS; i++) {
                    queue.append(RECORD);
                }
                assertThat(Polls.poll(consumer, RECORDS)).hasSize(RECORDS);
                assertThat(consumer.acknowledgeUpTo(Long.MAX_VALUE)).isEqualTo(RECORDS);
                assertThat(queue.firstOffset()).isGreaterThan(queue.nextOffset() - 3);
                queue.group("other").seekToEnd();
                queue.deleteGroup("other");
            }
        }
    }

    @Test
    void tailsAndVerifies() {
        try (Queue queue = Queue.open(directory, options())) {
            for (int i = 0; i < RECORDS; i++) {
                queue.append(RECORD);
            }
            for (int round = 0; round < ROUNDS; round++) {
                try (Tailer tailer = Tailer.open(directory)) {
                    int count = 0;
                    while (tailer.poll()) {
                        count++;
                    }
                    assertThat(count).isEqualTo(RECORDS);
                }
            }
        }
        for (int round = 0; round < ROUNDS; round++) {
            assertThat(QueueFiles.verify(directory).damages()).isEqualTo(List.of());
        }
    }
}
