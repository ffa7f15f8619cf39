package dev.outcrop.queue.internal.append;

import java.nio.file.Path;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

@Name("dev.outcrop.QueueSync")
@Label("Queue Sync")
@Category("Outcrop")
@Description("Records of a queue are written to the disk")
@StackTrace(false)
public final class SyncEvent extends Event {
    @Label("Queue")
    @Description("The directory of the queue")
    public String queue = "";
    @Label("Records")
    @Description("How many records")
    public long records;

    /** Ends the event, and records it if the recording wants it. */
    public void commit(Path directory, long records) {
        end();
        if (shouldCommit()) {
            this.queue = directory.toString();
            this.records = records;
            commit();
        }
    }
}
