package dev.outcrop.benchmarks.paired;

import java.util.List;
import org.rocksdb.RocksDBException;

/**
 * One form of a task, by one of those who take part.
 *
 * @param name who and which form
 * @param work the task, for each thread that does it at the same time
 */
record Side(String name, List<Work> work) {
    private static final String LIMIT = "C ";

    /** A form of ours. */
    static Side ours(String form, Work work) {
        return new Side(oursName(form), List.of(work));
    }

    /** A form of rocksdbjni's. */
    static Side peer(String form, Work work) {
        return new Side(peerName(form), List.of(work));
    }

    /** Whether it is fast only after a while, when the JIT compiler has seen enough of it. */
    boolean isJava() {
        return !name.startsWith(LIMIT);
    }

    static String oursName(String form) {
        return "outcrop " + form;
    }

    static String peerName(String form) {
        return PairedSuite.PEER + ' ' + form;
    }

    static String limitName(String function) {
        return LIMIT + function;
    }

    /** As many operations as the workload says. */
    @FunctionalInterface
    interface Work {
        /**
         * Does them.
         *
         * @param seed which keys, where they are random; the same seed means the same keys to all sides
         * @return a checksum over what was read, or how many records were written: the same for all sides
         * @throws RocksDBException if rocksdbjni fails
         */
        long run(long seed) throws RocksDBException;
    }
}
