package dev.outcrop.queue.internal.groups;

import java.nio.file.Path;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

@Name("dev.outcrop.QueueDeadLetter")
@Label("Queue Dead Letter")
@Category("Outcrop")
@Description("A record that no consumer could handle is put with the dead letters of its consumer group")
@StackTrace(false)
public final class DeadLetterEvent extends Event {
    @Label("Queue")
    @Description("The directory of the queue")
    public String queue = "";
    @Label("Group")
    @Description("The consumer group")
    public String group = "";
    @Label("Offset")
    @Description("Offset of the record")
    public long offset;
    @Label("Deliveries")
    @Description("How often it was delivered since the queue was opened or the group was last moved")
    public int deliveries;
    @Label("Reason")
    @Description("Why it is no longer delivered")
    public String reason = "";

    /** Records the event if the recording wants it. */
    public void commit(Path directory, String group, long offset, int deliveries, String reason) {
        if (shouldCommit()) {
            this.queue = directory.toString();
            this.group = group;
            this.offset = offset;
            this.deliveries = deliveries;
            this.reason = reason;
            commit();
        }
    }
}
