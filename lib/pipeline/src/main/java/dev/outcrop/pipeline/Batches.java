package dev.outcrop.pipeline;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The batches of a pipeline: one is filled while others wait to be written. For the thread that fills them. */
final class Batches {
    static final int COUNT = WriteBehind.DEPTH + 1;

    private final Supplier<Batch> maker;
    private final @Nullable Batch[] all = new Batch[COUNT];
    private Batch filling;
    private int index;

    Batches(Supplier<Batch> maker) {
        this.maker = maker;
        this.filling = maker.get();
        all[0] = filling;
    }

    /** Returns the batch that is being filled. */
    Batch filling() {
        return filling;
    }

    /** Returns its index. */
    int index() {
        return index;
    }

    /** Continues with the batch that was filled longest ago, or with a new one, because a pipeline may never need more than one. */
    void next() {
        int following = (index + 1) % COUNT;
        Batch there = all[following];
        if (there == null) {
            there = maker.get();
            all[following] = there;
        }
        filling = there;
        index = following;
    }
}
