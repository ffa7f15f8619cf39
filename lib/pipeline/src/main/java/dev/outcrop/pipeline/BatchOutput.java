package dev.outcrop.pipeline;

import org.jspecify.annotations.Nullable;

/**
 * Writes full batches in the background and other batches at once, and then passes each batch to the acknowledger. For one thread.
 */
final class BatchOutput {
    private final BatchCommitter committer;
    private final Acknowledger acknowledger;
    private final PipelineStatistics statistics;
    private final WriteBehind behind;

    BatchOutput(String group, BatchCommitter committer, Acknowledger acknowledger, PipelineStatistics statistics) {
        this.committer = committer;
        this.acknowledger = acknowledger;
        this.statistics = statistics;
        this.behind = new WriteBehind("outcrop-pipeline-write-" + group, committer::write);
    }

    /** Hands over a batch to be written in the background. Waits while too many batches are not written yet. */
    void handOver(Batch full) {
        while (behind.isAnyDone() || !behind.hasRoom()) {
            boolean _ = takeBack();
        }
        behind.handOver(full);
    }

    /** Writes a batch, after the batches that were handed over. */
    void write(Batch rest) {
        committer.write(rest);
        wrote(rest);
    }

    /** Takes back the batches that were written in the background meanwhile. */
    void collect() {
        while (behind.isAnyDone()) {
            boolean _ = takeBack();
        }
    }

    /** Waits for all batches that were handed over. */
    void await() {
        while (takeBack()) {
        }
    }

    private boolean takeBack() {
        Batch batch = behind.takeBack();
        if (batch == null) {
            return false;
        }
        wrote(batch);
        return true;
    }

    private void wrote(Batch batch) {
        count(batch);
        acknowledger.wrote(batch);
        batch.clear();
    }

    private void count(Batch batch) {
        if (batch.records > 0) {
            statistics.wrote(batch.records, batch.payloadBytes, batch.nanos, batch.isStall);
        }
    }

    // --- Ending ---

    /** Ends the attempts to repeat a write, after a failure. */
    void interrupt() {
        behind.interrupt();
    }

    /**
     * Waits for all batches that were handed over, after a failure, and acknowledges none of them.
     *
     * @return why a batch is not written; null if all batches are
     */
    @Nullable
    Throwable settle() {
        Throwable reason = null;
        boolean isMore = true;
        while (isMore) {
            try {
                Batch batch = behind.takeBack();
                isMore = batch != null;
                if (batch != null) {
                    count(batch);
                    acknowledger.note(batch);
                }
            } catch (RuntimeException | Error e) {
                reason = e;
            }
        }
        return reason;
    }

    void end() {
        behind.end();
    }
}
