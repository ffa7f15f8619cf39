package dev.outcrop.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Closing twice at once is harmless, with and without a child that outlives it. */
@JCStressTest
@Outcome(id = "1, 0, 1", expect = ACCEPTABLE, desc = "each freed once: by a close, and by the child")
@Outcome(expect = FORBIDDEN, desc = "freed twice, never, or while the child was open")
@State
public class LifetimeCloseAgainstClose {
    private final SharedOwner owner = new SharedOwner();
    private final SharedOwner childless = new SharedOwner();

    /** The child of this one lives until both have closed it. */
    public LifetimeCloseAgainstClose() {
        owner.openChild();
    }

    @Actor
    public void closer() {
        childless.close();
        owner.close();
    }

    @Actor
    public void otherCloser() {
        childless.close();
        owner.close();
    }

    @Arbiter
    public void end(III_Result result) {
        result.r1 = childless.frees();
        result.r2 = owner.frees();
        owner.useAndCloseChild();
        result.r3 = owner.frees();
    }
}
