package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.testsupport.ClassPath;
import dev.outcrop.testsupport.ForeignMetadata;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Module memory makes all native calls of the queue, and its jar declares them to GraalVM. */
@EnabledOnOs(OS.LINUX)
@Tag("verify")
class NoForeignCallsTest {
    @Test
    void noneIsLinked(@TempDir Path directory) throws Exception {
        assertThat(ForeignMetadata.linked(ClassPath.placeOf(Queue.class), directory)).isEmpty();
    }
}
