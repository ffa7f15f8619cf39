package dev.outcrop.pipeline;

/** The state of a {@link Pipeline} or a {@link ChangeFeed}. */
public enum PipelineState {
    /** It takes records or changes as they arrive. */
    RUNNING,
    /** It takes nothing until it is resumed. Everything that it has taken is written. */
    PAUSED,
    /** It has stopped by itself; its failure says why. */
    FAILED,
    /** It was closed. */
    CLOSED
}
