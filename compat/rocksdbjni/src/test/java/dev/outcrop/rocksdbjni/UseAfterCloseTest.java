package dev.outcrop.rocksdbjni;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Objects used after they were closed, or while another thread closes them, say so, and the lock of a closed database is free. */
@Tag("verify")
class UseAfterCloseTest extends DatabaseTest {
    @Test
    void everyUseIsRefused() throws Exception {
        Map<String, String> outcomes = PublishedJvm.runOurs(UseAfterClose.class, directory, directory.toString());

        assertThat(outcomes).hasSizeGreaterThan(80);
        // As published: an assertion fails where assertions are on, and they are in tests.
        assertThat(outcomes).allSatisfy(
                (mistake, outcome) -> assertThat(outcome).as(mistake).startsWith("throws java.lang.AssertionError: "));
    }
}
