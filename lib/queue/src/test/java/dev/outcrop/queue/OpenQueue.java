package dev.outcrop.queue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A queue that is open while a test runs. */
abstract class OpenQueue extends QueueFixture {
    Queue queue;
    QueueOptions options = new QueueOptions().segmentSize(8192).keepBytes(Long.MAX_VALUE);

    @BeforeEach
    void open() {
        queue = Queue.open(directory(), options);
    }

    @AfterEach
    void close() {
        queue.close();
    }

    void reopen() {
        queue.close();
        queue = Queue.open(queue.directory(), options);
    }
}
