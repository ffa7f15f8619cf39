package dev.outcrop.queue;

import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** All of a queue's records, for tests. */
final class Records {
    private Records() {
    }

    /** The payloads of all records that are kept, as text, read by a group that acknowledges none and is gone afterwards. */
    static List<String> texts(Queue queue) {
        List<String> texts = new ArrayList<>();
        String name = "all " + UUID.randomUUID();
        try (Consumer consumer = queue.group(name).consumer()) {
            int read;
            do {
                read = consumer.poll(1000, (offset, payload, deliveries) -> texts
                        .add(new String(payload.toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8)));
            } while (read > 0);
        } finally {
            queue.deleteGroup(name);
        }
        return texts;
    }
}
