package dev.outcrop.cli.queue;

import dev.outcrop.queue.Consumer;
import dev.outcrop.queue.Queue;
import dev.outcrop.queue.QueueOptions;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A process that has a queue open: appends 100 records, of which group "billing" acknowledges 30 and the 41st; then goes on. */
final class WriterProgram {
    static final int SEGMENT = 16 << 10;
    static final int RECORD = 1000;

    /** Appends and acknowledges on and on from the first line of the input to the second, but no more than 100,000 records. */
    public static void main(String[] args) throws Exception {
        try (BufferedReader told = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
                Queue queue = Queue.open(Path.of(args[0]),
                        new QueueOptions().segmentSize(SEGMENT).keepBytes(Long.MAX_VALUE));
                Consumer consumer = queue.group("billing").consumer()) {
            queue.group("audit");
            for (int i = 0; i < 100; i++) {
                queue.append(new byte[RECORD]);
            }
            consumer.poll(41, (offset, _, _) -> {
                if (offset < 30 || offset == 40) {
                    consumer.acknowledge(offset);
                }
            });
            System.out.println("ready");
            told.readLine();
            for (int i = 0; i < 100_000 && !told.ready(); i++) {
                queue.append(new byte[RECORD]);
                if (i == 0) {
                    System.out.println("goes on");
                }
                consumer.poll(1, (offset, _, _) -> consumer.acknowledge(offset));
            }
            // Who reads beside it may take longer than all that is appended.
            told.readLine();
            System.out.println(queue.nextOffset());
        }
    }
}
