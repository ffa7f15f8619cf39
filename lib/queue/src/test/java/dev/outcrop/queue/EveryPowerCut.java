package dev.outcrop.queue;

import dev.outcrop.testsupport.ChildJvm;
import dev.outcrop.testsupport.TestSize;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * Tests with power cuts at every moment of small programs, which do what the one of {@link PowerCutTest} does not.
 *
 * <p>{@code -Doutcrop.powercut.choices=N} looks at N disks for each moment, {@code -Doutcrop.seed=N} makes the same choices.
 */
abstract class EveryPowerCut {
    static final int CHOICES = TestSize.choose("outcrop.powercut.choices", 2, 100);
    /** For tests in which only a few moments matter. */
    static final int MANY = TestSize.choose("outcrop.powercut.many", 3, 30);
    static final int RECORDS = 60;
    static final String READER = "reader";

    Path temporary = Path.of("");
    long seed;

    @BeforeEach
    void makeDirectory() throws IOException {
        temporary = PowerCuts.directory();
        seed = TestSize.seed(getClass());
    }

    @AfterEach
    void deleteDirectory() throws IOException {
        Sample.delete(temporary);
    }

    /** Records 0 to {@link #RECORDS}, on the disk, in several files. */
    static void fill(Queue queue) {
        for (int i = 0; i < RECORDS; i++) {
            queue.append(Payloads.of(0, i, length(i)));
        }
        queue.sync();
    }

    static int length(long offset) {
        return Payloads.SHORTEST + 10 * (int) offset;
    }

    static List<Long> offsets(long from, long to) {
        return LongStream.range(from, to).boxed().toList();
    }

    /** A program on a disk of its own; its arguments are the directory of a queue, a file for marks, and more. */
    DiskTrace trace(int exitCode, Class<?> program, Object... more) throws Exception {
        WatchedDisk disk = new WatchedDisk(temporary);
        return PowerCuts.of(disk, ChildJvm.shortLived(), exitCode, program,
                Stream.concat(Stream.of(disk.root.resolve("queue"), disk.marks()), Arrays.stream(more)).toArray());
    }

    int cut(DiskTrace trace, int from, Predicate<DiskTrace.Event> which, int choices, PowerCuts.Check check)
            throws IOException {
        return new PowerCuts(temporary, seed, trace).behindEach(from, which, choices, check);
    }

    static final class OpenProgram {
        static void main(String[] arguments) {
            Queue.open(Path.of(arguments[0]), PowerCuts.options(false)).close();
        }
    }
}
