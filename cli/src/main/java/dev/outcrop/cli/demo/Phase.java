package dev.outcrop.cli.demo;

/** The measured steps of the demo, in the order in which every side takes them. */
enum Phase {
    /** Puts every class in the order of the paths, then flushes the memtable to disk. */
    STORE("store, flush"),
    /** Gets every class once in random order; the block cache is empty at first. */
    READ("read, cold"),
    /** Gets every class once more in another random order; by now the block cache holds everything. */
    READ_AGAIN("read, cached"),
    /** Goes over all entries in key order. */
    SCAN("scan");

    private final String title;

    Phase(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }
}
