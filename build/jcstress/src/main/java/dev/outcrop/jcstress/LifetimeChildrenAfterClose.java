package dev.outcrop.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Two children outlive their owner; the last one frees the memory, and neither before the other is done. */
@JCStressTest
@Outcome(id = "1, 1, 1", expect = ACCEPTABLE, desc = "both used their memory, which was freed once")
@Outcome(expect = FORBIDDEN, desc = "a child saw freed memory, or the memory was not freed once")
@State
public class LifetimeChildrenAfterClose {
    private final SharedOwner owner = new SharedOwner();

    /** Only the children are left when the race begins. */
    public LifetimeChildrenAfterClose() {
        owner.openChild();
        owner.openChild();
        owner.close();
    }

    @Actor
    public void child(III_Result result) {
        result.r1 = owner.useAndCloseChild();
    }

    @Actor
    public void otherChild(III_Result result) {
        result.r2 = owner.useAndCloseChild();
    }

    @Arbiter
    public void end(III_Result result) {
        result.r3 = owner.frees();
    }
}
