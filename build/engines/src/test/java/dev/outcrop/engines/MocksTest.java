package dev.outcrop.engines;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.testsupport.ChildJvm;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Mockito's mocks of the classes that tests of programs mock most, and its spies on their objects, do what they do with the published jar. */
@Tag("verify")
class MocksTest {

    @TempDir
    Path directory;

    @Test
    void mocksAndSpiesBehaveTheSame() throws Exception {
        EngineProgram program = EngineProgram.of("mocks", "MocksProgram", directory);
        ChildJvm.Running published = program.onPublished(directory.resolve("published"));
        List<String> ours = EngineProgram.lines(program.onOurs(directory.resolve("ours")));
        assertThat(ours).contains("> stubs [2][3][4]words7", "> spy other value", "> spy transaction 1")
                .hasSizeGreaterThan(1500).isEqualTo(EngineProgram.lines(published));
    }
}
