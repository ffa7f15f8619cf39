package dev.outcrop.testsupport;

import java.util.Random;

/**
 * How much work a randomized or repeated test does: little in {@code mvn verify}, and a lot in {@code mvn verify -P nightly}, which sets
 * the system property {@code outcrop.size} to {@code nightly}. JUnit tags select the tests of a run; {@code docs/testing.md} describes
 * both.
 */
public final class TestSize {
    private static final boolean IS_NIGHTLY = "nightly".equals(System.getProperty("outcrop.size"));

    private TestSize() {
    }

    /**
     * Returns how often a test repeats its work.
     *
     * @param property a system property that overrides both numbers
     * @param verify   the number in {@code mvn verify}
     * @param nightly  the number in the nightly run
     */
    public static int choose(String property, int verify, int nightly) {
        return Integer.getInteger(property, IS_NIGHTLY ? nightly : verify);
    }

    /** Returns true in the nightly run. */
    public static boolean isNightly() {
        return IS_NIGHTLY;
    }

    /**
     * Returns the seed of a randomized test, and prints it. The seed is new each time, unless the system property {@code outcrop.seed} is
     * set.
     *
     * @param test the class of the test, which this method prints
     */
    public static long seed(Class<?> test) {
        long seed = Long.getLong("outcrop.seed", new Random().nextInt(Integer.MAX_VALUE));
        System.out.println(test.getSimpleName() + ": repeat with -Doutcrop.seed=" + seed);
        return seed;
    }
}
