package dev.outcrop.cli.demo;

import dev.outcrop.cli.common.Installation;

/**
 * One of the programs that are compared. Ours and the peer's are in the module {@code benchmarks}, which has both libraries.
 *
 * @param name      the name in the table
 * @param mainClass its program
 * @param classPath the class path of the program and its library
 */
record Side(String name, String mainClass, String classPath) {
    /** Ends the name of the directory of a side's database for warming up, after the name of the measured one. */
    static final String WARM_UP_SUFFIX = ".warm-up";

    private static final String PROGRAMS = "dev.outcrop.benchmarks.demo.";

    static Side outcrop() {
        return new Side("outcrop", PROGRAMS + "OutcropDemo", Installation.benchmarksClassPath());
    }

    static Side rocksdbjni() {
        return new Side("rocksdbjni", PROGRAMS + "RocksJavaDemo", Installation.benchmarksClassPath());
    }
}
