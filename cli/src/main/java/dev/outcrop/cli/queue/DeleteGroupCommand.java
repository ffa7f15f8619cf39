package dev.outcrop.cli.queue;

import dev.outcrop.queue.Queue;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code ./outcrop queue groups delete}. */
@Command(name = "delete", description = {
        "Delete a group with what it has acknowledged. The queue no longer keeps records for it.", ""}, footer = {
                "", "  ./outcrop queue groups delete orders billing"})
final class DeleteGroupCommand extends GroupsAction {
    @Parameters(index = "1", paramLabel = "GROUP", description = "Its name.")
    private String name = "";

    @Override
    void act(Queue queue, PrintWriter out) {
        requireGroup(queue, name);
        queue.deleteGroup(name);
        out.println("group " + name + " is deleted");
    }
}
