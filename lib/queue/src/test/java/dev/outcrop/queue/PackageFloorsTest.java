package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Packages refer to those below them, and to no others; so there is no cycle between them. */
class PackageFloorsTest {
    private static final String TOP = "dev.outcrop.queue";
    private static final String GROUND = TOP + ".internal";
    private static final String FILES = GROUND + ".files";
    private static final String TAILERS = GROUND + ".tailers";
    private static final String APPEND = GROUND + ".append";
    private static final String GROUPS = GROUND + ".groups";
    private static final String REPAIR = GROUND + ".repair";

    private static PackageFloors compiled() throws Exception {
        return new PackageFloors(Path.of(Queue.class.getProtectionDomain().getCodeSource().getLocation().toURI()), TOP);
    }

    @Test
    void referencesGoDown() throws Exception {
        assertThat(compiled().notDown(
                List.of(List.of(TOP), List.of(GROUPS, REPAIR), List.of(APPEND, TAILERS), List.of(FILES),
                        List.of(GROUND))))
                .isEmpty();
    }

    @Test
    void referencesAreSeen() throws Exception {
        PackageFloors floors = compiled();
        assertThat(floors.all()).contains(TOP + " -> " + GROUPS, GROUPS + " -> " + APPEND, GROUPS + " -> " + TAILERS,
                APPEND + " -> " + FILES, REPAIR + " -> " + FILES, FILES + " -> " + GROUND);
        // The messages of the test above if files were above appending, if groups and appending were beside each other, or if a package had
        // no floor.
        assertThat(
                floors.notDown(List.of(List.of(TOP), List.of(GROUPS, REPAIR), List.of(FILES), List.of(APPEND, TAILERS),
                        List.of(GROUND))))
                .contains(APPEND + " -> " + FILES);
        assertThat(
                floors.notDown(List.of(List.of(TOP), List.of(REPAIR), List.of(GROUPS, APPEND, TAILERS), List.of(FILES),
                        List.of(GROUND))))
                .contains(GROUPS + " -> " + APPEND);
        assertThat(floors
                .notDown(List.of(List.of(TOP), List.of(GROUPS, REPAIR), List.of(APPEND, TAILERS), List.of(GROUND))))
                .contains(APPEND + " -> " + FILES);
    }
}
