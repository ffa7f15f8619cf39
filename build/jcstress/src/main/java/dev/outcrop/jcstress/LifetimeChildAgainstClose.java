package dev.outcrop.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A child that is open keeps the memory, and whichever of the two goes last frees it. */
@JCStressTest
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "the child used its memory, which was freed once")
@Outcome(expect = FORBIDDEN, desc = "the child saw freed memory, or the memory was not freed once")
@State
public class LifetimeChildAgainstClose {
    private final SharedOwner owner = new SharedOwner();

    /** The child is there before the race begins, and was opened by another thread than closes it. */
    public LifetimeChildAgainstClose() {
        owner.openChild();
    }

    @Actor
    public void child(II_Result result) {
        result.r1 = owner.useAndCloseChild();
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
