package dev.outcrop.queue.internal;

/** Logs failures after which the caller goes on. Logging never throws. */
public final class Warnings {
    private Warnings() {
    }

    /**
     * Logs a warning, unless there is no memory or stack for it, or the program's logger fails.
     *
     * @param logger  its name
     * @param before  the text in front of what failed
     * @param subject what failed
     * @param after   the text behind it
     * @param failure why
     */
    public static void log(String logger, String before, Object subject, String after, Throwable failure) {
        try {
            System.getLogger(logger).log(System.Logger.Level.WARNING, before + subject + after, failure);
        } catch (Throwable e) {
            // The caller's work matters more than its warning.
            return;
        }
    }
}
