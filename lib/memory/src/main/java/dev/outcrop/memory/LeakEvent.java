package dev.outcrop.memory;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** The JDK Flight Recorder event of a leak. It has no stack trace, because that would be the stack of the reporting thread. */
@Name("dev.outcrop.Leak")
@Label("Leak")
@Category("Outcrop")
@Description("A native object was garbage-collected without having been closed")
@StackTrace(false)
final class LeakEvent extends Event {
    @Label("Description")
    @Nullable
    String description;

    @Label("Creation Stack")
    @Description("Where the object was opened, one frame a line")
    @Nullable
    String creationStack;
}
