package dev.outcrop.benchmarks.multiget;

import dev.outcrop.benchmarks.harness.CProgram;
import dev.outcrop.benchmarks.harness.Contest;
import dev.outcrop.benchmarks.harness.EngineOptions;
import dev.outcrop.benchmarks.harness.Lab;
import dev.outcrop.benchmarks.harness.Results;
import dev.outcrop.benchmarks.harness.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All forms of all sides in one case. Lists are compared with rocksdbjni's lists; every other form with the better of
 * both of its forms, because whoever can use one of ours can use either of theirs.
 */
final class MultiGetContest {
    private static final String OURS = "outcrop ";
    private static final String C = "C ";
    private static final String PINNED = "pinned";
    private static final String SLAB = "slab";
    private static final String COPIED = "copied";
    private static final String LIST = "list";
    private static final String DIRECT = "direct";

    private final MultiGetCase multiGetCase;
    private final MultiGetWorkload workload;
    private final Lab lab;
    private final Optional<CProgram> c;

    MultiGetContest(MultiGetCase multiGetCase, MultiGetWorkload workload, Lab lab, Optional<CProgram> c) {
        this.multiGetCase = multiGetCase;
        this.workload = workload;
        this.lab = lab;
        this.c = c;
    }

    List<Row> run() {
        boolean isQuick = lab.effort().isQuick();
        List<String> ourForms = isQuick ? List.of(PINNED, LIST) : List.of(PINNED, SLAB, LIST);
        List<String> cForms = isQuick ? List.of(PINNED) : List.of(PINNED, SLAB, COPIED);
        Contest contest = new Contest();
        ourForms.forEach(form -> contest.add(OURS + form,
                lab.fork(OutcropMultiGet.class, form, 1, workload.jvmArgs())));
        List.of(LIST, DIRECT).forEach(form -> contest.add(peer(form),
                lab.fork(RocksJavaMultiGet.class, form, 1, workload.jvmArgs())));
        c.ifPresent(program -> cForms.forEach(form -> contest.add(C + form, program.probe(cArguments(form)))));
        Results results = contest.run(lab.effort().halfOfRounds());
        List<Row> rows = new ArrayList<>();
        for (String form : ourForms) {
            String peer = form.equals(LIST) ? peer(LIST) : results.faster(peer(LIST), peer(DIRECT));
            rows.add(new Row(MultiGetSuite.NAME, multiGetCase.name(), multiGetCase.params(workload.keys()),
                    multiGetCase.label(), form.equals(LIST) ? "byte[] list" : form, results.of(OURS + form), peer,
                    results.of(peer).nanos(), limit(form, results)));
        }
        return rows;
    }

    /**
     * The best way that the C API has to do the same: one call for all column families copies, a call for each does not.
     */
    private static @Nullable Double limit(String form, Results results) {
        Double separate = results.nanosIfMeasured(C + (form.equals(SLAB) ? SLAB : PINNED));
        Double together = results.nanosIfMeasured(C + COPIED);
        return separate == null || together == null ? separate : Double.valueOf(Math.min(separate, together));
    }

    private List<String> cArguments(String form) {
        return List.of(workload.database().engine().toString(), workload.database().directory().toString(),
                EngineOptions.READING.text(), form,
                String.valueOf(multiGetCase.families()), multiGetCase.isRandom() ? "random" : "one",
                String.valueOf(workload.keys()), String.valueOf(multiGetCase.valueBytes()),
                String.valueOf(lab.effort().iterations()), String.valueOf(lab.effort().time().toMillis()));
    }

    private static String peer(String form) {
        return MultiGetSuite.PEER + ' ' + form;
    }
}
