package dev.outcrop.benchmarks.turns;

import java.util.List;

/**
 * One form of a task, by one of those who take part.
 *
 * @param name who and which form
 * @param work the task, for each thread that does it at the same time
 */
public record Side(String name, List<Work> work) {
    /** Whom ours is compared with. */
    public static final String PEER = "rocksdbjni";

    private static final String LIMIT = "C ";

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
     * Whether it is fast only after a while, when the JIT compiler has seen enough of it.
     *
     * @return false for C
     */
    public boolean isJava() {
        return !name.startsWith(LIMIT);
    }

    /**
     * How a form of ours is called.
     *
     * @param form its name
     * @return the name of the side
     */
    public static String oursName(String form) {
        return "outcrop " + form;
    }

    /**
     * How a form of rocksdbjni's is called.
     *
     * @param form its name
     * @return the name of the side
     */
    public static String peerName(String form) {
        return PEER + ' ' + form;
    }

    /**
     * How a function in C is called.
     *
     * @param function its name
     * @return the name of the side
     */
    public static String limitName(String function) {
        return LIMIT + function;
    }

    /** As many operations as the workload says. */
    @FunctionalInterface
    public interface Work {
        /**
         * Does them.
         *
         * @param seed which keys, where they are random; the same seed means the same keys to all sides
         * @return a checksum over what was read, or how many records were written: the same for all sides
         * @throws Exception if it fails
         */
        long run(long seed) throws Exception;
    }
}
