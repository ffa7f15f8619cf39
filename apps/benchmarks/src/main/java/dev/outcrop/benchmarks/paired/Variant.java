package dev.outcrop.benchmarks.paired;

import dev.outcrop.benchmarks.harness.Side;
import java.util.List;

/**
 * One of our forms, and the sides with which it is compared.
 *
 * @param name   the name of its row
 * @param side   the side that is measured
 * @param rivals sides that do the same for a program that can use this form; the fastest counts
 * @param limits functions in C that do the same; the fastest counts
 */
record Variant(String name, String side, List<String> rivals, List<String> limits) {
    /** The suffix of a form in which every cache line of the value is read after the call; otherwise only its ends are read. */
    static final String TOUCHED = ", touched";

    /** The row that compares pinning with copying into a segment. */
    static final String PINNED_OR_SEGMENT = "pinned vs segment";

    private static final String PREALLOCATED = "preallocated byte[]";
    private static final String DIRECT = "direct buffer";
    private static final String SEGMENT = "segment";
    private static final String PINNED = "pinned";
    private static final String HYBRID = "hybrid";
    private static final List<String> KEPT = List.of(PREALLOCATED, DIRECT);
    private static final List<String> KEPT_TOUCHED = KEPT.stream().map(form -> form + TOUCHED).toList();
    private static final String INTO_BUFFER = "read_into_buffer";
    private static final String IN_PLACE = "read_pinned";
    private static final String INTO_BUFFER_TOUCHED = "touch_in_buffer";
    private static final String IN_PLACE_TOUCHED = "touch_pinned";

    /**
     * The forms of reading one value. An array is compared with rocksdbjni's array, and so on. Segments, pinned values and the hybrid form
     * are compared with the faster of rocksdbjni's two forms without garbage, because a program that can use our forms can use either of
     * these two.
     */
    static final List<Variant> READS = List.of(
            Variant.of("byte[]", List.of("byte[]"), INTO_BUFFER),
            Variant.of(PREALLOCATED, List.of(PREALLOCATED), INTO_BUFFER),
            Variant.of(DIRECT, List.of(DIRECT), INTO_BUFFER),
            Variant.of(SEGMENT, KEPT, INTO_BUFFER),
            Variant.of(PINNED, KEPT, IN_PLACE),
            Variant.of("pinned callback", KEPT, IN_PLACE),
            Variant.of(HYBRID, KEPT, INTO_BUFFER, IN_PLACE),
            Variant.of(SEGMENT + TOUCHED, KEPT_TOUCHED, INTO_BUFFER_TOUCHED),
            Variant.of(PINNED + TOUCHED, KEPT_TOUCHED, IN_PLACE_TOUCHED),
            Variant.of(HYBRID + TOUCHED, KEPT_TOUCHED, INTO_BUFFER_TOUCHED, IN_PLACE_TOUCHED),
            Variant.among(PINNED_OR_SEGMENT, PINNED, List.of(SEGMENT), IN_PLACE),
            Variant.among(PINNED_OR_SEGMENT + TOUCHED, PINNED + TOUCHED, List.of(SEGMENT + TOUCHED), IN_PLACE_TOUCHED),
            Variant.among("hybrid vs best half", HYBRID, List.of(SEGMENT, PINNED), INTO_BUFFER, IN_PLACE));

    /** Returns a form against forms of rocksdbjni. */
    static Variant of(String name, List<String> peers, String... limits) {
        return new Variant(name, Side.oursName(name), peers.stream().map(Side::peerName).toList(), List.of(limits));
    }

    /** Returns a form against one form of rocksdbjni, although another form may be faster. The name says both forms. */
    static Variant like(String name, String form, String peer, String... limits) {
        return new Variant(name, Side.oursName(form), List.of(Side.peerName(peer)), List.of(limits));
    }

    /** Returns a form against other forms of ours. */
    static Variant among(String name, String form, List<String> others, String... limits) {
        return new Variant(name, Side.oursName(form), others.stream().map(Side::oursName).toList(), List.of(limits));
    }
}
