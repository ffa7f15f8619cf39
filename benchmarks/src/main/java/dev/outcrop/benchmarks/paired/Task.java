package dev.outcrop.benchmarks.paired;

import java.util.List;

/** What all sides of a case do. */
enum Task {
    FULL("full scan"), BACKWARD("reverse scan"), RANGE("range of 100"), SEEK("seek only"), MULTIGET("100 keys"), PUT(
            "put"), BATCH("build + write");

    private final String label;

    Task(String label) {
        this.label = label;
    }

    /** The forms of ours. */
    List<Form> forms() {
        return switch (this) {
            case FULL -> List.of(new Form("callback", List.of("direct buffer"), "scan_forward"));
            case BACKWARD -> List.of(new Form("callback", List.of("direct buffer"), "scan_backward"));
            case RANGE -> List.of(new Form("callback", List.of("direct buffer"), "scan_ranges"));
            case SEEK -> List.of(new Form("segment", List.of("direct buffer"), "seek_keys"));
            case MULTIGET -> List.of(new Form("pinned", List.of("list", "direct buffer"), "get_pinned"),
                    new Form("list", List.of("list"), "get_copied"));
            case PUT -> written("put_keys");
            case BATCH -> written("write_batches");
        };
    }

    private static List<Form> written(String limit) {
        return List.of(new Form("byte[]", List.of("byte[]"), limit),
                new Form("segment", List.of("byte[]", "direct buffer"), limit));
    }

    boolean isWriting() {
        return this == PUT || this == BATCH;
    }

    @Override
    public String toString() {
        return label;
    }

    /**
     * A form of ours, and what it is compared with.
     *
     * @param name  its name
     * @param peers the forms of rocksdbjni that whoever can use it can use too; the fastest counts
     * @param limit the function in C that does the same
     */
    record Form(String name, List<String> peers, String limit) {
    }
}
