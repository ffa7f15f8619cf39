package dev.outcrop.benchmarks.get;

import dev.outcrop.benchmarks.harness.CProgram;
import dev.outcrop.benchmarks.harness.Contest;
import dev.outcrop.benchmarks.harness.EngineOptions;
import dev.outcrop.benchmarks.harness.Lab;
import dev.outcrop.benchmarks.harness.Results;
import dev.outcrop.benchmarks.harness.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All forms of all sides in one case.
 *
 * <p>An array is compared with rocksdbjni's array; every other form with the better of rocksdbjni's other two, because
 * whoever can use one of ours can use either of theirs. The hybrid form is compared with the better of its two halves
 * as well.
 */
final class GetContest {
    private static final String OURS = "outcrop ";
    private static final String C = "C ";
    private static final String IN_BUFFER = "buffer";
    private static final String BYTES = "byte[]";
    private static final String PREALLOCATED = "preallocated byte[]";
    private static final String DIRECT = "direct buffer";
    private static final String SEGMENT = "segment";
    private static final String PINNED = "pinned";
    private static final String PINNED_CALLBACK = "pinned callback";
    private static final String HYBRID = "hybrid";

    /** Names of the forms, with the methods that measure them. */
    private static final Map<String, String> METHODS = Map.of(
            BYTES, "bytes", PREALLOCATED, "preallocated", DIRECT, "direct",
            SEGMENT, "segment", PINNED, "pinned", PINNED_CALLBACK, "pinnedCallback", HYBRID, "hybrid");
    private static final List<String> OUR_FORMS = List.of(BYTES, PREALLOCATED, DIRECT, SEGMENT, PINNED,
            PINNED_CALLBACK, HYBRID);
    private static final List<String> OUR_QUICK_FORMS = List.of(BYTES, SEGMENT, PINNED, HYBRID);
    private static final List<String> PEER_FORMS = List.of(BYTES, PREALLOCATED, DIRECT);
    private static final List<String> C_FORMS = List.of(IN_BUFFER, PINNED);

    private final GetCase getCase;
    private final Workload workload;
    private final Lab lab;
    private final Optional<CProgram> c;

    GetContest(GetCase getCase, Workload workload, Lab lab, Optional<CProgram> c) {
        this.getCase = getCase;
        this.workload = workload;
        this.lab = lab;
        this.c = c;
    }

    List<Row> run() {
        List<String> ourForms = lab.effort().isQuick() ? OUR_QUICK_FORMS : OUR_FORMS;
        Contest contest = new Contest();
        ourForms.forEach(form -> contest.add(OURS + form,
                lab.fork(OutcropGet.class, method(form), getCase.threads(), workload.jvmArgs())));
        PEER_FORMS.forEach(form -> contest.add(peer(form),
                lab.fork(RocksJavaGet.class, method(form), getCase.threads(), workload.jvmArgs())));
        c.ifPresent(program -> C_FORMS.forEach(form -> contest.add(C + form, program.probe(cArguments(form)))));
        return rows(ourForms, contest.run(lab.effort().rounds()));
    }

    private List<Row> rows(List<String> ourForms, Results results) {
        List<Row> rows = new ArrayList<>();
        for (String form : ourForms) {
            String peer = form.equals(BYTES) ? peer(BYTES) : results.faster(peer(PREALLOCATED), peer(DIRECT));
            rows.add(row(form, form, peer, results));
        }
        rows.add(row(HYBRID, "hybrid vs best half", results.faster(OURS + SEGMENT, OURS + PINNED), results));
        return rows;
    }

    private Row row(String form, String subject, String peer, Results results) {
        return new Row(GetSuite.NAME, getCase.name(), getCase.params(workload.keys()), getCase.label(), subject,
                results.of(OURS + form), peer, results.of(peer).nanos(), limit(form, results));
    }

    private @Nullable Double limit(String form, Results results) {
        if (c.isEmpty()) {
            return null;
        }
        return results.of(switch (form) {
            case PINNED, PINNED_CALLBACK -> C + PINNED;
            case HYBRID -> results.faster(C + IN_BUFFER, C + PINNED);
            default -> C + IN_BUFFER;
        }).nanos();
    }

    private List<String> cArguments(String form) {
        return List.of(workload.database().engine().toString(), workload.database().directory().toString(),
                EngineOptions.READING.text(), form,
                workload.access().isRandom() ? "random" : "hot", Integer.toString(workload.keys()),
                Integer.toString(workload.valueBytes()),
                Integer.toString(getCase.threads()), Integer.toString(lab.effort().iterations()),
                Long.toString(lab.effort().time().toMillis()));
    }

    private static String method(String form) {
        return Objects.requireNonNull(METHODS.get(form), form);
    }

    private static String peer(String form) {
        return GetSuite.PEER + ' ' + form;
    }
}
