package dev.outcrop.queue.internal.append;

import java.nio.file.Path;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

@Name("dev.outcrop.QueueStall")
@Label("Queue Stall")
@Category("Outcrop")
@Description("An append waits because the queue is full")
@StackTrace(false)
public final class StallEvent extends Event {
    @Label("Queue")
    @Description("The directory of the queue")
    public String queue = "";
    @Label("Offset")
    @Description("Offset that the record would get")
    public long offset;

    /** Ends the event, and records it if the recording wants it. */
    public void commit(Path directory, long offset) {
        end();
        if (shouldCommit()) {
            this.queue = directory.toString();
            this.offset = offset;
            commit();
        }
    }
}
