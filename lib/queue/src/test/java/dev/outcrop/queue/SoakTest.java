package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.testsupport.ChildJvm;
import dev.outcrop.testsupport.TestSize;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A queue's use of memory and of the system does not grow with time. {@code -Doutcrop.soak.seconds=} sets how long it is used. */
@EnabledOnOs(OS.LINUX)
@Tag("verify")
class SoakTest {
    private static final int SECONDS = TestSize.choose("outcrop.soak.seconds", 2, 1800);
    private static final long SEED = TestSize.seed(SoakTest.class);

    @TempDir
    private Path directory;

    @Test
    void nothingGrowsWithTime() throws Exception {
        List<String> lines = ChildJvm.withNativeAccess().option("-XX:+UseSerialGC").option("-Xmx24m")
                .option("-XX:MaxDirectMemorySize=4m").lines(SoakProgram.class, directory, SEED, SECONDS);

        Matcher found = Pattern.compile("mappings (\\d+) then (\\d+)\\s+descriptors (\\d+) then (\\d+)\\s+"
                + "anonymous KiB (\\d+)\\s+appended (\\d+) read (\\d+) tailed (\\d+)")
                .matcher(String.join("\n", lines));
        assertThat(found.find()).as("%s", lines).isTrue();
        System.out.println(found.group());
        // Ten segments, those that wait until the disk knows that they are not needed, those of the tailer, and the small files.
        assertThat(Long.parseLong(found.group(1))).isBetween(3L, 100L);
        assertThat(found.group(2)).isEqualTo("0");
        assertThat(Long.parseLong(found.group(3))).isBetween(1L, 8L);
        assertThat(found.group(4)).isEqualTo("0");
        assertThat(Long.parseLong(found.group(5))).isLessThan(250_000);
        // Each of the two groups reads all.
        assertThat(Long.parseLong(found.group(7))).isEqualTo(2 * Long.parseLong(found.group(6)));
        assertThat(Long.parseLong(found.group(8))).isPositive();
    }
}
