package dev.outcrop.cli.demo;

import dev.outcrop.cli.common.Installation;

/**
 * One of the programs that are compared.
 *
 * @param name what the user calls it
 * @param mainClass its program
 * @param classPath where that program and its library are
 */
record Side(String name, String mainClass, String classPath) {
    private static final String PEER_MAIN_CLASS = "dev.outcrop.benchmarks.peer.RocksJavaDemo";

    static Side outcrop() {
        return new Side("outcrop", OutcropDemo.class.getName(), System.getProperty("java.class.path"));
    }

    static Side rocksdbjni() {
        return new Side("rocksdbjni", PEER_MAIN_CLASS, Installation.benchmarksClassPath());
    }
}
