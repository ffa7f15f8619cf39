package dev.outcrop.pipeline;

import org.jspecify.annotations.Nullable;

/** A pipeline refused to start, or has stopped. The message says why, and how to mend it. */
public final class PipelineException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    PipelineException(String message) {
        super(message);
    }

    PipelineException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
