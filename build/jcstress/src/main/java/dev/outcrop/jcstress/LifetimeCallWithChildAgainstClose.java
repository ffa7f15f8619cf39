package dev.outcrop.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A child goes while a call runs and a close waits for it or is about to: neither of the two may free the memory then. The call and
 * the child share a thread, so that two processors are enough; they hold different slabs all the same.
 */
@JCStressTest
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "the call came before close")
@Outcome(id = "-1, 1", expect = ACCEPTABLE, desc = "close came before the call, which was refused")
@Outcome(expect = FORBIDDEN, desc = "the call or the child saw freed memory, or the memory was not freed once")
@State
public class LifetimeCallWithChildAgainstClose {
    private final SharedOwner owner = new SharedOwner();

    /** The child is there before the race begins. */
    public LifetimeCallWithChildAgainstClose() {
        owner.openChild();
    }

    @Actor
    public void caller(II_Result result) {
        result.r1 = owner.callInWhichChildCloses();
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
