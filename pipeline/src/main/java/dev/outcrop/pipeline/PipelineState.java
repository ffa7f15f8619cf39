package dev.outcrop.pipeline;

/** What a {@link Pipeline} or a {@link ChangeFeed} does. */
public enum PipelineState {
    /** It takes what comes. */
    RUNNING,
    /** It takes nothing until it is told to go on. What it has taken is written. */
    PAUSED,
    /** It has stopped by itself, and takes nothing any more; its failure says why. */
    FAILED,
    /** It was closed. */
    CLOSED
}
