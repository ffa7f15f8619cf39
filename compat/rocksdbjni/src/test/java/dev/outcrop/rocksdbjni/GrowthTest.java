package dev.outcrop.rocksdbjni;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outcrop.testsupport.ChildJvm;
import dev.outcrop.testsupport.TestSize;
import dev.outcrop.testsupport.misuse.NativeMemory;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Objects of each kind leave no native memory behind when they are closed. */
@Tag("verify")
class GrowthTest extends DatabaseTest {
    @Test
    void closedObjectsLeaveNothingBehind() throws Exception {
        assumeTrue(NativeMemory.isKnown(), "this C library does not tell how much memory is in use");
        int objects = TestSize.choose("outcrop.growth.objects", 10_000, 1_000_000);
        List<String> lines = ChildJvm.shortLived().option("-Xmx256m")
                .option("-XX:NativeMemoryTracking=summary")
                .option("-Djava.io.tmpdir=" + directory)
                .lines(GrowthProgram.class, directory, objects);
        assertThat(lines).hasSizeGreaterThan(30).allSatisfy(line -> assertThat(
                Long.parseLong(line.substring(0, line.indexOf('\t')))).as(line)
                .isLessThanOrEqualTo(GrowthProgram.limit(objects)));
    }
}
