package dev.outcrop.benchmarks.queue;

/** Threads that append and threads that read at the same time. */
enum ThreadLayout {
    /** One thread appends, and none reads. */
    APPEND("append", 1, 0),
    /** One thread reads existing records. */
    TAIL("tail", 0, 1),
    /** One producer, one consumer. */
    ONE_TO_ONE("1P1C", 1, 1),
    /** Two producers, two groups of one consumer. Each group reads all records. */
    TWO_TO_TWO("2P2C", 2, 2);

    private final String label;
    private final int producers;
    private final int readers;

    ThreadLayout(String label, int producers, int readers) {
        this.label = label;
        this.producers = producers;
        this.readers = readers;
    }

    int producers() {
        return producers;
    }

    /** Returns the number of readers. Each reader has its own group. */
    int readers() {
        return readers;
    }

    @Override
    public String toString() {
        return label;
    }
}
