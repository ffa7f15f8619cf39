package dev.outcrop.queue;

/** Takes records that no consumer could handle; see {@link GroupOptions#deadLetters(int, DeadLetterHandler)}. */
@FunctionalInterface
public interface DeadLetterHandler {
    /**
     * Takes a record.
     *
     * @param letter its payload can be read until this returns
     * @throws Exception if it cannot be taken: the record stays in its group
     */
    void handle(DeadLetter letter) throws Exception;
}
