package dev.outcrop.rocksdbjni;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outcrop.testsupport.ChildJvm;
import dev.outcrop.testsupport.TestSize;
import java.lang.foreign.Linker;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Objects of each kind leave no native memory behind when they are closed. */
@Tag("verify")
class GrowthTest extends DatabaseTest {
    /** The memory that the JVM itself may allocate meanwhile, such as for compiled code. */
    private static final long OF_THE_JVM = 1 << 20;

    @Test
    void closedObjectsLeaveNothingBehind() throws Exception {
        assumeTrue(Linker.nativeLinker().defaultLookup().find("mallinfo2").isPresent(),
                "this C library does not tell how much memory is in use");
        int objects = TestSize.choose("outcrop.growth.objects", 10_000, 1_000_000);
        List<String> lines = ChildJvm.shortLived().limit(Duration.ofHours(2)).option("-Xmx256m")
                .option("-Djava.io.tmpdir=" + directory)
                .lines(GrowthProgram.class, directory, objects);
        assertThat(lines).hasSizeGreaterThan(30).allSatisfy(line -> {
            // A leak would be some bytes an object at least.
            assertThat(Long.parseLong(line.substring(0, line.indexOf('\t')))).as(line)
                    .isLessThan(OF_THE_JVM + 4L * objects);
        });
    }
}
