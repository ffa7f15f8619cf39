package dev.outcrop.queue;

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
final class SyncEvent extends Event {
    @Label("Queue")
    @Description("The directory of the queue")
    String queue = "";
    @Label("Records")
    @Description("How many records")
    long records;

    /** Ends the event, and records it if it is to be. */
    void commit(Path directory, long records) {
        end();
        if (shouldCommit()) {
            this.queue = directory.toString();
            this.records = records;
            commit();
        }
    }
}
