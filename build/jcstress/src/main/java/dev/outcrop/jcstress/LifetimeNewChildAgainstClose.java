package dev.outcrop.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A child either gets its lease before close counts them, or is refused. */
@JCStressTest
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "the child was opened, and kept the memory until it was closed")
@Outcome(id = "-1, 1", expect = ACCEPTABLE, desc = "close came first, and the child was refused")
@Outcome(expect = FORBIDDEN, desc = "the child saw freed memory, or the memory was not freed once")
@State
public class LifetimeNewChildAgainstClose {
    private final SharedOwner owner = new SharedOwner();

    @Actor
    public void child(II_Result result) {
        result.r1 = owner.openChild() == SharedOwner.REFUSED ? SharedOwner.REFUSED : owner.useAndCloseChild();
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
