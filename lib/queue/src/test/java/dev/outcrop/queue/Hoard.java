package dev.outcrop.queue;

import java.util.Arrays;

/** Takes all memory, in a JVM with a small heap. */
final class Hoard {
    private static final Object NOTHING = new Object();
    private static final int[] PIECES = {1 << 16, 1 << 10, 16};
    /** Each time that there is no memory, the JVM finds some more. */
    private static final int ROUNDS = 6;

    private final Object[] pieces = new Object[200_000];
    private int count;

    /**
     * Takes all memory but a little.
     *
     * @param left bytes
     */
    void take(int left) {
        int reserved = count;
        pieces[count++] = new byte[left];
        for (int round = 0; round < ROUNDS; round++) {
            for (int size : PIECES) {
                takePieces(size);
            }
        }
        pieces[reserved] = NOTHING;
    }

    private void takePieces(int size) {
        try {
            while (count < pieces.length) {
                pieces[count] = new byte[size];
                count++;
            }
        } catch (OutOfMemoryError e) {
            // As intended.
            return;
        }
    }

    void free() {
        Arrays.fill(pieces, 0, count, null);
        count = 0;
    }
}
