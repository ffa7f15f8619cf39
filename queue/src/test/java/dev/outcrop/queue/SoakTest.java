package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.testsupport.ChildJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a queue needs of memory and of the system does not grow with time. {@code -Doutcrop.soak.seconds=} uses it for longer than 10 s.
 */
@EnabledOnOs(OS.LINUX)
class SoakTest {
    private static final int SECONDS = Integer.getInteger("outcrop.soak.seconds", 10);
    private static final long SEED = Long.getLong("outcrop.soak.seed", System.nanoTime());

    @TempDir
    private Path directory;

    @Test
    @Timeout(value = 90, unit = TimeUnit.MINUTES)
    void nothingGrowsWithTime() throws Exception {
        System.out.println("SoakTest: seed " + SEED + ", " + SECONDS + " s");
        ChildJvm.Result result = ChildJvm.withNativeAccess().option("-XX:+UseSerialGC").option("-Xmx24m")
                .option("-XX:MaxDirectMemorySize=4m").limit(Duration.ofSeconds(SECONDS + 300L))
                .run(SoakProgram.class, directory, SEED, SECONDS);

        assertThat(result.exitCode()).as(result.output()).isZero();
        Matcher found = Pattern.compile("mappings (\\d+) then (\\d+)\\s+descriptors (\\d+) then (\\d+)\\s+"
                + "anonymous KiB (\\d+)\\s+appended (\\d+) read (\\d+) tailed (\\d+)").matcher(result.output());
        assertThat(found.find()).as(result.output()).isTrue();
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
