package dev.outcrop.benchmarks.queue;

import dev.outcrop.benchmarks.harness.Directories;
import dev.outcrop.benchmarks.harness.JavaProgram;
import dev.outcrop.benchmarks.harness.Settings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The queue that a program opens.
 *
 * @param kind         which queue, and in which way
 * @param directory    where; deleted before and afterwards
 * @param payloadBytes size of every record, a multiple of 8
 * @param groups       how many groups read it
 * @param segmentBytes size of our files; Chronicle's are always larger than what is appended
 * @param isDurable    whether records are appended that must be on the disk
 */
record QueueSetup(QueueKind kind, Path directory, int payloadBytes, int groups, long segmentBytes, boolean isDurable) {
    private static final long DEFAULT_SEGMENT = 64L << 20;

    /** A queue with one group and files of the usual size. */
    static QueueSetup of(QueueKind kind, Path directory, int payloadBytes, boolean isDurable) {
        return new QueueSetup(kind, directory, payloadBytes, 1, DEFAULT_SEGMENT, isDurable);
    }

    /** The same with records of another size. */
    QueueSetup withPayload(int bytes) {
        return new QueueSetup(kind, directory, bytes, groups, segmentBytes, isDurable);
    }

    /** The same with other files and more groups. */
    QueueSetup with(int moreGroups, long otherSegmentBytes) {
        return new QueueSetup(kind, directory, payloadBytes, moreGroups, otherSegmentBytes, isDurable);
    }

    /** A program that opens the queue. */
    JavaProgram program(Class<?> main, Record settings) {
        List<String> arguments = new ArrayList<>(kind.jvmArgs());
        arguments.addAll(Settings.define(settings));
        return new JavaProgram(main, arguments);
    }

    /** Opens the queue, or makes it. */
    Subject open() {
        if (kind == QueueKind.BARE) {
            return new BareSubject(this);
        }
        return kind.isOutcrop() ? new OutcropSubject(this) : new ChronicleSubject(this);
    }

    void delete() {
        Directories.delete(directory);
    }
}
