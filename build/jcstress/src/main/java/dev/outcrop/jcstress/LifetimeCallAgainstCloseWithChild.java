package dev.outcrop.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** A call against a close and the child that outlives it, whose end frees the memory: not before the call is over. */
@JCStressTest
@Outcome(id = "1, 1, 1", expect = ACCEPTABLE, desc = "the call came before close")
@Outcome(id = "-1, 1, 1", expect = ACCEPTABLE, desc = "close came before the call, which was refused")
@Outcome(expect = FORBIDDEN, desc = "the call or the child saw freed memory, or the memory was not freed once")
@State
public class LifetimeCallAgainstCloseWithChild {
    private final SharedOwner owner = new SharedOwner();

    /** The child is there before the race begins. */
    public LifetimeCallAgainstCloseWithChild() {
        owner.openChild();
    }

    @Actor
    public void caller(III_Result result) {
        result.r1 = owner.call();
    }

    @Actor
    public void closer(III_Result result) {
        owner.close();
        result.r2 = owner.useAndCloseChild();
    }

    @Arbiter
    public void end(III_Result result) {
        result.r3 = owner.frees();
    }
}
