package dev.outcrop.queue;

/** Takes the records that no consumer could handle; see {@link GroupOptions#deadLetters(int, DeadLetterHandler)}. */
@FunctionalInterface
public interface DeadLetterHandler {
    /**
     * Takes one.
     *
     * @param letter its payload can be read until this returns
     * @throws Exception if it cannot be taken: the record stays in its group
     */
    void handle(DeadLetter letter) throws Exception;
}
