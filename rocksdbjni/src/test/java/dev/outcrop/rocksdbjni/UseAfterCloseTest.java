package dev.outcrop.rocksdbjni;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is used after it was closed, or while another thread closes it, says so, and the lock of a closed database is free. */
@Tag("verify")
class UseAfterCloseTest {

    @TempDir
    Path directory;

    @Test
    void everyUseIsRefused() throws Exception {
        Map<String, String> outcomes = PublishedJvm.runOurs(UseAfterClose.class, directory, directory.toString());

        assertThat(outcomes).hasSizeGreaterThan(80);
        // As published: an assertion fails where assertions are on, and they are in tests.
        assertThat(outcomes).allSatisfy(
                (mistake, outcome) -> assertThat(outcome).as(mistake).startsWith("throws java.lang.AssertionError: "));
    }
}
