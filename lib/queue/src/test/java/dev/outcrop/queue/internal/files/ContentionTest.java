package dev.outcrop.queue.internal.files;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** When a thread lets others go first; that it does, only benchmarks show. */
class ContentionTest {
    private static final int OFTEN = 256;
    /** More than a thread that is interrupted by others needs for so many within some milliseconds. */
    private static final int PATIENCE = 1_000_000;

    private final Contention contention = new Contention();
    /** Records in the segment. */
    private long claimed;

    /** Appends one record, after others have appended some. Returns whether it lets others go first, of whom so many use that. */
    private boolean append(int others, long millis, int guests) {
        claimed += others;
        boolean isMet = contention.isMet(claimed, 1, millis);
        if (isMet) {
            claimed += guests;
            assertThat(contention.isMet(claimed, 1, millis)).as("twice in a row").isFalse();
        }
        claimed++;
        return isMet;
    }

    /** Returns how many meetings it takes. */
    private int meetings(int guests) {
        for (int i = 1; i <= PATIENCE; i++) {
            if (append(1, 1, guests)) {
                return i;
            }
        }
        throw new AssertionError("never");
    }

    @Test
    void aThreadThatIsAloneGoesOn() {
        for (int i = 0; i < PATIENCE; i++) {
            assertThat(append(0, 1, 0)).isFalse();
        }
    }

    @Test
    void itLetsOthersGoFirstThatItMeetsOften() {
        assertThat(meetings(5)).isGreaterThan(OFTEN);
        int fewest = PATIENCE;
        for (int i = 0; i < OFTEN; i++) {
            fewest = Math.min(fewest, meetings(5));
        }
        assertThat(fewest).as("from then on, at each meeting").isEqualTo(1);
    }

    @Test
    void whereNobodyComesItGoesOn() {
        for (int i = 0; i < OFTEN; i++) {
            assertThat(meetings(0)).isGreaterThan(OFTEN);
        }
    }

    @Test
    void fewMeetingsInATickAreNotOften() {
        for (long i = 0; i < PATIENCE; i++) {
            assertThat(append(1, i / OFTEN, 5)).isFalse();
        }
    }

    @Test
    void fewMeetingsInATimeAreNotOftenIfTheClockStandsStill() throws InterruptedException {
        for (int i = 0; i < 4 * OFTEN; i++) {
            if (i % (OFTEN / 2) == 0) {
                Thread.sleep(20);
            }
            assertThat(append(1, 1, 5)).isFalse();
        }
    }

    @Test
    void aVirtualThreadDoesNot() throws InterruptedException {
        boolean[] isMet = new boolean[1];
        Thread.ofVirtual().start(() -> {
            for (int i = 0; i < PATIENCE; i++) {
                isMet[0] |= append(1, 1, 5);
            }
        }).join();
        assertThat(isMet[0]).isFalse();
    }
}
