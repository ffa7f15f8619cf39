package dev.outcrop.cli.queue;

import dev.outcrop.cli.common.Failure;
import dev.outcrop.queue.Queue;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code ./outcrop queue groups create}. */
@Command(name = "create", description = {
        "Create a group, which begins with the first record that is kept; 'move' takes it elsewhere.",
        "From then on, the queue keeps all records that the group has not acknowledged.", ""}, footer = {"",
                "  ./outcrop queue groups create orders billing"})
final class CreateGroupCommand extends GroupsAction {
    @Parameters(index = "1", paramLabel = "GROUP", description = "What it is to be called.")
    private String name = "";

    @Override
    void act(Queue queue, PrintWriter out) {
        if (queue.groups().contains(name)) {
            throw new Failure("There is a group '" + name + "' in " + queue.directory() + " already");
        }
        try {
            out.println("group " + name + " begins with record " + queue.group(name).position());
        } catch (IllegalArgumentException e) {
            throw new Failure(String.valueOf(e.getMessage()));
        }
    }
}
