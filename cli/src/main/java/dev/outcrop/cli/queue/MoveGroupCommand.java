package dev.outcrop.cli.queue;

import dev.outcrop.cli.common.Failure;
import dev.outcrop.queue.Queue;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code ./outcrop queue groups move}. */
@Command(name = "move", description = {
        "Have a group go on with another record: those before count as acknowledged, that one and those behind do not.",
        ""}, footer = {"", "  ./outcrop queue groups move orders billing 2026-11-24T10:15:30Z"})
final class MoveGroupCommand extends GroupsAction {
    @Parameters(index = "1", paramLabel = "GROUP", description = "Its name.")
    private String name = "";

    @Parameters(index = "2", paramLabel = "TO", description = {"'first': the first record that is kept;",
            "'last': behind the last one, so that it gets only what is appended from now on;",
            "a number: the record of that offset;",
            "a time as in 2026-11-24T10:15:30Z: the first record that was appended then or later."})
    private String to = "";

    @Override
    void act(Queue queue, PrintWriter out) {
        Place place = place("TO", to);
        requireGroup(queue, name);
        try {
            out.println("group " + name + " goes on with record " + place.seek(queue.group(name)));
        } catch (IllegalArgumentException e) {
            throw new Failure(String.valueOf(e.getMessage()));
        }
    }
}
