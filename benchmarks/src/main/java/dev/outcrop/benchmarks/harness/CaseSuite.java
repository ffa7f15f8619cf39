package dev.outcrop.benchmarks.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A suite whose cases are measured one after another: Outcrop, rocksdbjni, and a C program that is called like the
 * suite.
 *
 * @param <C> a case
 */
public abstract class CaseSuite<C> implements Suite {
    /** Whom all of them are compared with. */
    public static final String PEER = "rocksdbjni";

    private final String name;

    /**
     * Creates a suite.
     *
     * @param name how users choose it
     */
    protected CaseSuite(String name) {
        this.name = name;
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final String peer() {
        return PEER;
    }

    @Override
    public final List<Row> run(Lab given) {
        Lab lab = given.patient();
        List<C> cases = cases(lab.effort().isQuick()).stream().filter(each -> lab.wants(label(each))).toList();
        if (cases.isEmpty()) {
            return List.of();
        }
        Optional<CProgram> c = CProgram.compile(name, lab);
        Database database = Database.in(lab);
        List<Row> rows = new ArrayList<>();
        for (C each : cases) {
            // Also one that a run left behind that was killed.
            database.delete();
            try {
                List<Row> found = run(each, database, lab, c);
                found.forEach(lab::finished);
                rows.addAll(found);
            } finally {
                database.delete();
            }
        }
        return rows;
    }

    /**
     * What there is to measure.
     *
     * @param isQuick whether a part of it is enough
     * @return the cases, in the order of the table
     */
    protected abstract List<C> cases(boolean isQuick);

    /**
     * What a case is called.
     *
     * @param each the case
     * @return its label in the table
     */
    protected abstract String label(C each);

    /**
     * Measures a case.
     *
     * @param each     the case
     * @param database where its database goes, if it needs one; not there yet, and deleted afterwards
     * @param lab      how and where
     * @param c        the C program, if there is a compiler
     * @return the results
     */
    protected abstract List<Row> run(C each, Database database, Lab lab, Optional<CProgram> c);
}
