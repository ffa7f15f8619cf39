package dev.outcrop.queue;

import dev.outcrop.testsupport.TestSize;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
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
        PowerCuts.delete(temporary);
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

    /** Opens a queue. */
    static final class OpenProgram {
        private OpenProgram() {
        }

        static void main(String[] arguments) {
            Queue.open(Path.of(arguments[0]), PowerCuts.options(false)).close();
        }
    }
}
