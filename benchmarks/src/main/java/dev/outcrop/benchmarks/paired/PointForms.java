package dev.outcrop.benchmarks.paired;

import java.util.List;

/**
 * The forms of reading one value. An array is compared with rocksdbjni's array, and so on; segments, pinned values and
 * the hybrid form with the faster one of rocksdbjni's two forms without garbage, because a program that can use them can use
 * either.
 */
final class PointForms {
    /** Ends the name of a form after which every cache line of the value is read; otherwise only its ends are. */
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

    static final List<Form> ALL = List.of(
            Form.of("byte[]", List.of("byte[]"), INTO_BUFFER),
            Form.of(PREALLOCATED, List.of(PREALLOCATED), INTO_BUFFER),
            Form.of(DIRECT, List.of(DIRECT), INTO_BUFFER),
            Form.of(SEGMENT, KEPT, INTO_BUFFER),
            Form.of(PINNED, KEPT, IN_PLACE),
            Form.of("pinned callback", KEPT, IN_PLACE),
            Form.of(HYBRID, KEPT, INTO_BUFFER, IN_PLACE),
            Form.of(SEGMENT + TOUCHED, KEPT_TOUCHED, INTO_BUFFER_TOUCHED),
            Form.of(PINNED + TOUCHED, KEPT_TOUCHED, IN_PLACE_TOUCHED),
            Form.of(HYBRID + TOUCHED, KEPT_TOUCHED, INTO_BUFFER_TOUCHED, IN_PLACE_TOUCHED),
            Form.among(PINNED_OR_SEGMENT, PINNED, List.of(SEGMENT), IN_PLACE),
            Form.among(PINNED_OR_SEGMENT + TOUCHED, PINNED + TOUCHED, List.of(SEGMENT + TOUCHED), IN_PLACE_TOUCHED),
            Form.among("hybrid vs best half", HYBRID, List.of(SEGMENT, PINNED), INTO_BUFFER, IN_PLACE));

    private PointForms() {
    }
}
