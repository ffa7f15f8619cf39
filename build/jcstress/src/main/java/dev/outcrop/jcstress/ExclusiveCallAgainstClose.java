package dev.outcrop.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A call of an object that only one thread may use at a time, against its close. */
@JCStressTest
@Outcome(id = "2, 1", expect = ACCEPTABLE, desc = "the call came before close")
@Outcome(id = "-1, 1", expect = ACCEPTABLE, desc = "close came before the call, which was refused")
@Outcome(expect = FORBIDDEN, desc = "the call saw freed memory, or the memory was not freed once")
@State
public class ExclusiveCallAgainstClose {
    private final ExclusiveOwner owner = new ExclusiveOwner();

    @Actor
    public void caller(II_Result result) {
        result.r1 = owner.add();
    }

    @Actor
    public void closer() {
        owner.close();
        owner.close();
    }

    @Arbiter
    public void end(II_Result result) {
        result.r2 = owner.frees();
    }
}
