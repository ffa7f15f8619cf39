package dev.outcrop.benchmarks.harness;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * One comparison in one run: ours, the peer, and C. Less is better, in any unit.
 *
 * @param suite    name of the suite
 * @param name     the case, such as {@code "random keys"}
 * @param params   the parameters of this row within its case, by name, in order
 * @param label    case and parameters in the table
 * @param subject  our form, such as {@code "pinned"}
 * @param ours     our measurement
 * @param peerName peer and form; begins with {@link Suite#peer()} if it is the suite's peer
 * @param peer     the median of the peer
 * @param error    half the 95 % confidence interval of {@link #ratio()}, relative to the ratio
 * @param startError the standard error of the medians of the starts of {@link #ratio()}, relative to the ratio; 0 if there is only one
 *                   start
 * @param limit    the median of C, or null if there is no C compiler or no C program
 * @param unit     the unit of all three, such as {@link #UNIT}
 */
public record Row(String suite, String name, SequencedMap<String, Object> params, String label, String subject,
        Measurement ours, String peerName, double peer, double error, double startError, @Nullable Double limit,
        String unit) {
    /** The usual unit of rows. */
    public static final String UNIT = "ns/op";

    public Row {
        params = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(params));
    }

    /** Creates a row of sides that were measured in separate processes. */
    public Row(String suite, String name, SequencedMap<String, Object> params, String label, String subject,
            Measurement ours, String peerName, Measurement peer, @Nullable Double limit, String unit) {
        this(suite, name, params, label, subject, ours, peerName, peer.median(), ours.errorOfRatio(peer),
                ours.startErrorOfRatio(peer), limit, unit);
    }

    /** Creates a row of sides that took turns in one process. */
    public Row(String suite, String name, SequencedMap<String, Object> params, String label, String subject,
            Measurement ours, String peerName, double peer, Measurement ratio, @Nullable Double limit, String unit) {
        this(suite, name, params, label, subject, ours, peerName, peer, ratio.error(), ratio.startError(), limit, unit);
    }

    /** Returns the same row with another error. */
    public Row withError(double other) {
        return new Row(suite, name, params, label, subject, ours, peerName, peer, other, startError, limit, unit);
    }

    /** Creates a row of nanoseconds per operation, of sides that were measured in separate processes. */
    public Row(String suite, String name, SequencedMap<String, Object> params, String label, String subject,
            Measurement ours, String peerName, Measurement peer, @Nullable Double limit) {
        this(suite, name, params, label, subject, ours, peerName, peer, limit, UNIT);
    }

    /** Returns parameters in order: each name is followed by its value. */
    public static SequencedMap<String, Object> params(Object... namesAndValues) {
        SequencedMap<String, Object> params = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            params.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return params;
    }

    /** Returns a parameter that is a number; NaN if the row does not have it. */
    public double number(String param) {
        return params.get(param) instanceof Number number ? number.doubleValue() : Double.NaN;
    }

    /** Returns whether the row compares two named forms. The peer's form may not be its best form. */
    public boolean isOfNamedForms() {
        return subject.contains(" vs ");
    }

    /** Returns how many times as fast as the peer our form is. */
    public double ratio() {
        return peer / ours.median();
    }

    /** Returns C's time divided by our time: 1 if our form is as fast as C, less if it is slower. Returns null without a limit. */
    public @Nullable Double ofLimit() {
        return limit == null ? null : limit / ours.median();
    }
}
