package dev.outcrop.pipeline;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The batches of a pipeline: one is filled while others wait to be written. For the thread that fills. */
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

    /** That which is filled. */
    Batch filling() {
        return filling;
    }

    /** Which one that is. */
    int index() {
        return index;
    }

    /** Goes on with the one that was filled longest ago, or with another one: many a pipeline never needs that. */
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
