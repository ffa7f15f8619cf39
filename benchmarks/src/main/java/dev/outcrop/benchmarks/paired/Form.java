package dev.outcrop.benchmarks.paired;

import dev.outcrop.benchmarks.harness.Side;
import java.util.List;

/**
 * A form of ours, and the sides to compare it with.
 *
 * @param name   the name of its row
 * @param side   the side that is measured
 * @param rivals sides that do the same, for those who can use this form; the fastest counts
 * @param limits functions in C that do the same; the fastest counts
 */
record Form(String name, String side, List<String> rivals, List<String> limits) {
    /** A form against forms of rocksdbjni. */
    static Form of(String name, List<String> peers, String... limits) {
        return new Form(name, Side.oursName(name), peers.stream().map(Side::peerName).toList(), List.of(limits));
    }

    /** A form against other forms of ours. */
    static Form among(String name, String form, List<String> others, String... limits) {
        return new Form(name, Side.oursName(form), others.stream().map(Side::oursName).toList(), List.of(limits));
    }
}
