package dev.outcrop.benchmarks.queue;

import dev.outcrop.benchmarks.harness.Directories;
import dev.outcrop.benchmarks.harness.JavaProgram;
import dev.outcrop.benchmarks.harness.Settings;
import dev.outcrop.benchmarks.harness.UnavailableException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The queue that a program opens.
 *
 * @param kind         which queue, and in which way
 * @param directory    the directory of the queue; it is deleted before and afterwards
 * @param payloadBytes size of every record, a multiple of 8
 * @param groups       how many groups read it
 * @param segmentBytes size of our files; Chronicle's files are always larger than all appended records
 * @param isDurable    whether appended records must be on the disk
 */
record QueueSetup(QueueKind kind, Path directory, int payloadBytes, int groups, long segmentBytes, boolean isDurable) {
    private static final long DEFAULT_SEGMENT = 64L << 20;

    /** Returns a queue with one group and files of the default size. */
    static QueueSetup of(QueueKind kind, Path directory, int payloadBytes, boolean isDurable) {
        return new QueueSetup(kind, directory, payloadBytes, 1, DEFAULT_SEGMENT, isDurable);
    }

    /** Returns the same queue with records of another size. */
    QueueSetup withPayload(int bytes) {
        return new QueueSetup(kind, directory, bytes, groups, segmentBytes, isDurable);
    }

    /** Returns the same queue with other files and more groups. */
    QueueSetup with(int moreGroups, long otherSegmentBytes) {
        return new QueueSetup(kind, directory, payloadBytes, moreGroups, otherSegmentBytes, isDurable);
    }

    /** Returns a program that opens the queue. */
    JavaProgram program(Class<?> main, Record settings) {
        List<String> arguments = new ArrayList<>(kind.jvmArgs());
        arguments.addAll(Settings.define(settings));
        return new JavaProgram(main, arguments);
    }

    /** Opens the queue, or creates it. */
    QueueAdapter open() {
        return switch (kind) {
            case BARE, MAPPED -> new BareFileAdapter(this);
            case FILE_CHANNEL -> new FileChannelAdapter(this);
            case OUTCROP, OUTCROP_ALONE, OUTCROP_VERIFYING -> new OutcropAdapter(this);
            case CHRONICLE, CHRONICLE_DOCUMENT, CHRONICLE_TOUCHING -> chronicle();
        };
    }

    private QueueAdapter chronicle() {
        try {
            return new ChronicleAdapter(this);
        } catch (LinkageError e) {
            throw new UnavailableException("Chronicle Queue cannot be loaded on this machine: " + e);
        }
    }

    void delete() {
        Directories.delete(directory);
    }

    /** Returns a payload in native memory. It is always the same for a size. */
    static MemorySegment payload(int bytes) {
        MemorySegment payload = Arena.global().allocate(bytes, Long.BYTES);
        Random random = new Random(bytes);
        for (long at = 0; at < bytes; at += Long.BYTES) {
            payload.set(ValueLayout.JAVA_LONG, at, random.nextLong());
        }
        return payload;
    }

    /** Reads every byte, and returns the sum of the longs. All sides read records with this method. */
    static long sum(MemorySegment memory, long from, long bytes) {
        long sum = 0;
        for (long at = from; at < from + bytes; at += Long.BYTES) {
            sum += memory.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
        }
        return sum;
    }
}
