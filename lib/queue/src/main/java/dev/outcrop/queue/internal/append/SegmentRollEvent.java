package dev.outcrop.queue.internal.append;

import java.nio.file.Path;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

@Name("dev.outcrop.QueueRoll")
@Label("Queue Roll")
@Category("Outcrop")
@Description("A queue goes on to its next file: how long producers wait for that")
@StackTrace(false)
public final class SegmentRollEvent extends Event {
    @Label("Queue")
    @Description("The directory of the queue")
    public String queue = "";
    @Label("Next Offset")
    @Description("Offset of the first record in the next file")
    public long nextOffset;

    /** Ends the event, and records it if the recording wants it. */
    public void commit(Path directory, long nextOffset) {
        end();
        if (shouldCommit()) {
            this.queue = directory.toString();
            this.nextOffset = nextOffset;
            commit();
        }
    }
}
