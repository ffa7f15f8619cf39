package dev.outcrop.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A call that has started finishes on memory that is there; the memory is freed once. */
@JCStressTest
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "the call came first, and close waited for it")
@Outcome(id = "-1, 1", expect = ACCEPTABLE, desc = "close came first, and the call was refused")
@Outcome(expect = FORBIDDEN, desc = "the call saw freed memory, or the memory was not freed once")
@State
public class LifetimeCallAgainstClose {
    private final SharedOwner owner = new SharedOwner();

    @Actor
    public void caller(II_Result result) {
        result.r1 = owner.call();
    }

    @Actor
    public void closer() {
        owner.close();
    }

    @Arbiter
    public void end(II_Result result) {
        result.r2 = owner.frees();
    }
}
