package dev.outcrop.benchmarks.paired;

import dev.outcrop.benchmarks.harness.CFunctions;
import java.util.List;
import java.util.stream.Stream;

/** The task of all sides of a case. */
enum PairedTask {
    /**
     * One key that was written a moment ago, with its value in the memtable. Here the cost of a call is the largest part besides RocksDB's
     * own work.
     */
    FRESH_KEY("fresh key"),
    /** One key over and over, among all the others, from the block cache. */
    HOT_KEY("hot key"),
    /** Random keys, from the block cache. */
    RANDOM_KEYS("random keys"),
    /** One key after another, in their order, from the block cache. */
    ASCENDING_KEYS("ascending keys"),
    FULL("full scan"),
    BACKWARD("reverse scan"),
    RANGE("range of 100"),
    SEEK("seek only"),
    MULTIGET("100 keys"),
    PUT("put"),
    BATCH("build + write"),
    BUILD("build");

    private final String label;

    PairedTask(String label) {
        this.label = label;
    }

    /** Returns our forms. */
    List<Variant> forms() {
        return switch (this) {
            case FRESH_KEY, HOT_KEY, RANDOM_KEYS, ASCENDING_KEYS -> Variant.READS;
            case FULL -> scanned("scan_forward");
            case BACKWARD -> scanned("scan_backward");
            case RANGE -> scanned("scan_ranges");
            case SEEK -> List.of(Variant.of("segment", List.of("direct buffer"), "seek_keys"));
            case MULTIGET -> List.of(Variant.of("pinned", List.of("list", "direct buffer"), "get_pinned"),
                    Variant.of("slab", List.of("list", "direct buffer"), "get_copied"),
                    Variant.of("list", List.of("list"), "get_copied"),
                    Variant.like("slab vs direct buffer", "slab", "direct buffer", "get_copied"));
            case PUT -> written("put_keys");
            case BATCH -> written("write_batches");
            case BUILD -> written("build_batches");
        };
    }

    private static List<Variant> scanned(String limit) {
        return Stream.of("callback", "iterator, copying", "iterator, segments")
                .map(form -> Variant.of(form, List.of("direct buffer"), limit)).toList();
    }

    private static List<Variant> written(String limit) {
        return List.of(Variant.of("byte[]", List.of("byte[]"), limit),
                Variant.of("segment", List.of("byte[]", "direct buffer"), limit));
    }

    /** Returns which keys a C function reads. */
    CFunctions.Choice choice() {
        return this == RANDOM_KEYS
                ? CFunctions.Choice.RANDOM
                : this == ASCENDING_KEYS ? CFunctions.Choice.ASCENDING : CFunctions.Choice.SAME;
    }

    /** Returns whether the task reads the value of one key at a time. */
    boolean isPoint() {
        return this == FRESH_KEY || this == HOT_KEY || this == RANDOM_KEYS || this == ASCENDING_KEYS;
    }

    boolean isWriting() {
        return this == PUT || this == BATCH || this == BUILD;
    }

    /** Returns whether the sides begin with an empty database. */
    boolean beginsEmpty() {
        return isWriting() || this == FRESH_KEY;
    }

    @Override
    public String toString() {
        return label;
    }
}
