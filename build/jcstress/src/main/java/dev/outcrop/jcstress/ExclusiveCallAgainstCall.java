package dev.outcrop.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Two calls of an object that only one thread may use at a time: each sees what the other did, or is refused. */
@JCStressTest
@Outcome(id = {"2, 3, 3", "3, 2, 3"}, expect = ACCEPTABLE, desc = "one after the other")
@Outcome(id = {"2, -1, 2", "-1, 2, 2"}, expect = ACCEPTABLE, desc = "one was refused")
@Outcome(expect = FORBIDDEN, desc = "both were inside, or one did not see what the other did")
@State
public class ExclusiveCallAgainstCall {
    private final ExclusiveOwner owner = new ExclusiveOwner();

    @Actor
    public void caller(III_Result result) {
        result.r1 = owner.add();
    }

    @Actor
    public void otherCaller(III_Result result) {
        result.r2 = owner.add();
    }

    @Arbiter
    public void end(III_Result result) {
        result.r3 = owner.memory();
        owner.close();
    }
}
