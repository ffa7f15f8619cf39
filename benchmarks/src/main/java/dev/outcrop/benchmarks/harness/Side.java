package dev.outcrop.benchmarks.harness;

import java.util.List;

/**
 * One form of a task, which takes {@link Turns} with others in the same process.
 *
 * @param name   library and form, the name of the figure
 * @param work   the task, for each thread that does it at the same time
 * @param around what comes before and after each turn
 */
public record Side(String name, List<Work> work, Around around) {
    private static final String OURS = "outcrop ";
    private static final String LIMIT = "C ";

    /**
     * A side with nothing to do around its turns.
     *
     * @param name library and form
     * @param work the task, for each thread
     */
    public Side(String name, List<Work> work) {
        this(name, work, Around.NOTHING);
    }

    /**
     * A form of ours.
     *
     * @param form its name
     * @param work the task
     * @return a side of one thread
     */
    public static Side ours(String form, Work work) {
        return new Side(oursName(form), List.of(work));
    }

    /**
     * A form of rocksdbjni's.
     *
     * @param form its name
     * @param work the task
     * @return a side of one thread
     */
    public static Side peer(String form, Work work) {
        return new Side(peerName(form), List.of(work));
    }

    /**
     * Tells whether the side is fast only after a while, when the JIT compiler has seen enough of it.
     *
     * @return false for C
     */
    public boolean isJava() {
        return !name.startsWith(LIMIT);
    }

    /**
     * The name of a form of ours.
     *
     * @param form its name
     * @return the name of the side
     */
    public static String oursName(String form) {
        return OURS + form;
    }

    /**
     * The name of a form of rocksdbjni's.
     *
     * @param form its name
     * @return the name of the side
     */
    public static String peerName(String form) {
        return Suite.ROCKSDBJNI + ' ' + form;
    }

    /**
     * The name of a function in C.
     *
     * @param function its name
     * @return the name of the side
     */
    public static String limitName(String function) {
        return LIMIT + function;
    }

    /** One turn of a side: as many operations as the workload says. */
    @FunctionalInterface
    public interface Work {
        /**
         * Runs the operations of the turn.
         *
         * @param seed decides the keys, where they are random; the same seed means the same keys to all sides
         * @return a checksum of the values that were read, or the number of records written: the same for all sides, and not 0
         * @throws Exception if it fails
         */
        long run(long seed) throws Exception;
    }

    /** Work of a side before and after each turn, which is not measured. */
    public interface Around {
        /** Does nothing. */
        Around NOTHING = new Around() {
            @Override
            public void open() {
                // Nothing.
            }

            @Override
            public void close() {
                // Nothing.
            }
        };

        /**
         * Comes before the turn.
         *
         * @throws Exception if it fails
         */
        void open() throws Exception;

        /**
         * Comes after the turn.
         *
         * @throws Exception if it fails
         */
        void close() throws Exception;
    }
}
