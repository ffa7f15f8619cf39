package dev.outcrop.benchmarks.paired;

import java.util.List;

/** What all sides of a case do, with the forms that they do it in. */
enum Task {
    FULL("full scan", new Form("callback", List.of("direct buffer"), "scan_forward")), BACKWARD("reverse scan",
            new Form("callback", List.of("direct buffer"), "scan_backward")), RANGE("range of 100",
                    new Form("callback", List.of("direct buffer"), "scan_ranges")), SEEK("seek only",
                            new Form("segment", List.of("direct buffer"), "seek_keys")), MULTIGET("100 keys",
                                    new Form("pinned", List.of("list", "direct buffer"), "get_pinned"),
                                    new Form("list", List.of("list"), "get_copied")), PUT("put",
                                            new Form("byte[]", List.of("byte[]"), "put_keys"),
                                            new Form("segment", List.of("byte[]", "direct buffer"), "put_keys")), BATCH(
                                                    "batch of 1,000, build + write",
                                                    new Form("byte[]", List.of("byte[]"), "write_batches"),
                                                    new Form("segment", List.of("byte[]", "direct buffer"),
                                                            "write_batches"));

    private final String label;
    private final List<Form> forms;

    Task(String label, Form... forms) {
        this.label = label;
        this.forms = List.of(forms);
    }

    List<Form> forms() {
        return forms;
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
