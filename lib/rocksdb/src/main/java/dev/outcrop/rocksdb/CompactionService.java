package dev.outcrop.rocksdb;

import java.util.Objects;

/**
 * Lets other processes or machines that reach the same files carry out compactions. Set it with {@link
 * Options#compactionService(CompactionService)}. For each compaction RocksDB first calls {@link #schedule}, then {@link #waitFor}; in
 * between, a worker does the job with {@link RemoteCompaction}. RocksDB calls the methods from any thread, from several at the same time.
 *
 * <p>If a method throws, the exception is logged and the compaction fails, after which the database cannot be written until it is opened
 * again. To let RocksDB do the job itself, return {@link CompactionServiceJobStatus#USE_LOCAL}.
 *
 * <p>No method can use the database that is compacted: that throws {@link IllegalStateException}, as does waiting for flushes and
 * compactions of other databases. A method that waits for another thread that does any of this may deadlock.
 */
public interface CompactionService {
    /**
     * Takes over a compaction, or refuses it.
     *
     * @param info  the compaction
     * @param input the input of {@link RemoteCompaction#run}
     * @return whether it was taken over, and as which job
     */
    Scheduled schedule(CompactionServiceJobInfo info, byte[] input);

    /**
     * Waits until a job is done.
     *
     * @param jobId  the job, as {@link #schedule} named it
     * @param result takes the result of {@link RemoteCompaction#run}
     * @return how the job has ended
     */
    CompactionServiceJobStatus waitFor(String jobId, ValueSink result);

    /** Called when the database is shutting down: all {@link #waitFor} must return {@link CompactionServiceJobStatus#ABORTED}. */
    default void cancelAwaitingJobs() {
    }

    /**
     * Reports whether the result of a job is in use.
     *
     * @param jobId  the job
     * @param status whether its result is in use; if not, it can be thrown away
     */
    default void onInstallation(String jobId, CompactionServiceJobStatus status) {
        Objects.requireNonNull(jobId, "jobId");
        Objects.requireNonNull(status, "status");
    }

    /**
     * Returns the name, which RocksDB puts into messages.
     *
     * @return the name, always the same; by default the name of the class
     */
    default String name() {
        return getClass().getName();
    }

    /**
     * The answer to {@link #schedule}.
     *
     * @param status {@link CompactionServiceJobStatus#SUCCESS} if the compaction was taken over, {@link
     *               CompactionServiceJobStatus#USE_LOCAL} if RocksDB must do it itself
     * @param jobId  a name for the job if it was taken over
     */
    record Scheduled(CompactionServiceJobStatus status, String jobId) {
        /** Refuses null. */
        public Scheduled {
            Objects.requireNonNull(status, "status");
            Objects.requireNonNull(jobId, "jobId");
        }

        /**
         * Returns the answer that the compaction was taken over.
         *
         * @param jobId a name for the job, without NUL characters
         * @return the answer
         */
        public static Scheduled as(String jobId) {
            Objects.requireNonNull(jobId, "jobId");
            return new Scheduled(CompactionServiceJobStatus.SUCCESS, jobId);
        }

        /**
         * Returns the answer that RocksDB must do the compaction itself.
         *
         * @return the answer
         */
        public static Scheduled locally() {
            return new Scheduled(CompactionServiceJobStatus.USE_LOCAL, "");
        }
    }
}
