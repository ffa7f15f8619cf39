package dev.outcrop.benchmarks.misuse;

import dev.outcrop.benchmarks.misuse.Outcome.Kind;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The report, in Markdown. */
final class UseAfterCloseReport {
    /** The default number of runs of each mistake in each way. */
    static final int USUAL_RUNS = 2;
    private static final String VERSION = "11.8.1";
    /** Each mistake is made by the thread that closes, and by another thread. */
    private static final int WAYS = 2;

    private final Map<Mistake, List<Outcome>> peer;
    private final Map<Mistake, List<Outcome>> own;

    UseAfterCloseReport(Map<Mistake, List<Outcome>> peer, Map<Mistake, List<Outcome>> own) {
        this.peer = peer;
        this.own = own;
    }

    String text() {
        StringBuilder text = new StringBuilder();
        text.append(
                """
                        # Use after close

                        Written by `./outcrop misuse --report docs/use-after-close.md%s`; do not edit.

                        Each line is a mistake that programs make: something is closed, and used afterwards, or meanwhile. Each was \
                        made %d times
                        with rocksdbjni %s and with Outcrop, each time in a JVM of its own with the defaults of both libraries: \
                        half of the times
                        closed by the thread that uses it, half by another one. Between closing and using, the program opened, \
                        filled and closed
                        another database, as programs go on, so that freed memory was used again; and once more afterwards.
                        Both sides run on RocksDB %s, Java %s, %s.

                        | outcome | rocksdbjni | Outcrop |
                        |---|---|---|
                        """
                        .formatted(attempts() == WAYS * USUAL_RUNS ? "" : " --runs " + attempts() / WAYS, attempts(),
                                VERSION, VERSION, Runtime.version().feature(),
                                System.getProperty("os.name") + " " + System.getProperty("os.arch")));
        line(text, "mistakes", peer.size(), own.size());
        line(text, "the JVM was killed, at least once", worst(peer, Kind.KILLED), worst(own, Kind.KILLED));
        line(text, "otherwise: hung, at least once", worst(peer, Kind.HUNG), worst(own, Kind.HUNG));
        line(text, "otherwise: answered, at least once", worst(peer, Kind.RETURNED), worst(own, Kind.RETURNED));
        line(text, "always threw", worst(peer, Kind.THREW), worst(own, Kind.THREW));
        line(text, "nothing to close there", worst(peer, Kind.NOTHING_TO_CLOSE), worst(own, Kind.NOTHING_TO_CLOSE));
        line(text, "JVMs killed, of all that were started", killed(peer), killed(own));
        text.append(
                """

                        Where Outcrop answers, it is what it promises: iterators, snapshots and transactions keep their database open \
                        inside RocksDB
                        until they are closed themselves, and closing twice is harmless. Where rocksdbjni answers after something \
                        it needs was
                        closed, it has read or written memory that was freed, and happened to get away with it; or closing twice \
                        is harmless there,
                        too.

                        | mistake | rocksdbjni | Outcrop |
                        |---|---|---|
                        """);
        peer.forEach((mistake, outcomes) -> text.append("| ").append(mistake.text()).append(" | ")
                .append(summary(outcomes)).append(" | ").append(summary(own.getOrDefault(mistake, List.of())))
                .append(" |\n"));
        return text.toString();
    }

    private int attempts() {
        return peer.values().stream().mapToInt(List::size).max().orElse(0);
    }

    private static void line(StringBuilder text, String what, long peer, long own) {
        text.append("| ").append(what).append(" | ").append(peer).append(" | ").append(own).append(" |\n");
    }

    /** Returns the number of mistakes with this outcome as their worst outcome. */
    private static long worst(Map<Mistake, List<Outcome>> side, Kind kind) {
        return side.values().stream()
                .filter(outcomes -> outcomes.stream().map(Outcome::kind).min(Comparator.naturalOrder())
                        .orElse(Kind.NOTHING_TO_CLOSE) == kind)
                .count();
    }

    private static long killed(Map<Mistake, List<Outcome>> side) {
        return side.values().stream().flatMap(List::stream).filter(outcome -> outcome.kind() == Kind.KILLED).count();
    }

    /** Returns the outcomes of one mistake on one side, for example: "**killed** 3 × (SIGSEGV), returned null 1 ×". */
    static String summary(List<Outcome> outcomes) {
        Map<Kind, Map<String, Long>> counts = new EnumMap<>(Kind.class);
        for (Outcome outcome : outcomes) {
            counts.computeIfAbsent(outcome.kind(), _ -> new TreeMap<>()).merge(outcome.text(), 1L, Long::sum);
        }
        return counts.entrySet().stream()
                .flatMap(kind -> kind.getValue().entrySet().stream()
                        .map(text -> (kind.getKey() == Kind.KILLED ? "**killed**, " + text.getKey() : text.getKey())
                                + times(text.getValue(), outcomes.size())))
                .collect(Collectors.joining("; "));
    }

    private static String times(long count, int all) {
        return count == all ? "" : " (" + count + " of " + all + ")";
    }
}
