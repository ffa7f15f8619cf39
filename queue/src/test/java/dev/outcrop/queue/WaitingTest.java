package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.testsupport.ChildJvm;
import java.nio.file.Path;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ten thousand virtual threads wait for records: on a single carrier, which none of them keeps, and next to nothing is done until a record comes. */
@Timeout(300)
class WaitingTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({"1, records", "4, records", "1, interrupts", "4, interrupts", "1, close", "4, close"})
    void manyWaitAtLittleCostAndAllAreWoken(int groups, String ending) throws Exception {
        ChildJvm.Result result = ChildJvm.bare().option("--enable-native-access=ALL-UNNAMED")
                .option("-Djdk.virtualThreadScheduler.parallelism=1")
                .option("-Djdk.virtualThreadScheduler.maxPoolSize=1")
                .run(WaitingProgram.class, directory, groups, ending);
        String output = result.output();
        System.out.println(groups + " groups, " + ending + ": " + output);
        assertThat(result.exitCode()).as(output).isZero();
        long all = WaitingProgram.THREADS;
        assertThat(output).contains("got " + (ending.equals("records") ? all : 0) + ", interrupted "
                + (ending.equals("interrupts") ? all : 0) + ", refused " + (ending.equals("close") ? all : 0));
        assertThat(output).doesNotContain("in flight");
        // Of 2,000. If each of them looked for itself ten times a second, it would be 600 and more.
        assertThat(number(output, "idle ms of processor time: ")).isLessThan(300);
    }

    private static long number(String output, String before) {
        return output.lines().filter(line -> line.startsWith(before))
                .mapToLong(line -> Long.parseLong(line.substring(before.length()))).findFirst().orElse(0);
    }
}
