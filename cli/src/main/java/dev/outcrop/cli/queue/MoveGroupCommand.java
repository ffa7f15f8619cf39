package dev.outcrop.cli.queue;

import dev.outcrop.cli.Failure;
import dev.outcrop.queue.ConsumerGroup;
import dev.outcrop.queue.Queue;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code ./outcrop queue groups move}. */
@Command(name = "move", description = {
        "Have a group go on with another record: those before count as acknowledged, that one and those behind do not.",
        ""})
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
        requireGroup(queue, name);
        ConsumerGroup group = queue.group(name);
        try {
            out.println("group " + name + " goes on with record " + move(group));
        } catch (IllegalArgumentException e) {
            throw new Failure(String.valueOf(e.getMessage()));
        }
    }

    private long move(ConsumerGroup group) {
        return switch (to) {
            case "first" -> group.seekToBeginning();
            case "last" -> group.seekToEnd();
            default -> isOffset() ? group.seek(Long.parseLong(to)) : group.seek(time());
        };
    }

    private boolean isOffset() {
        return to.matches("\\d{1,18}");
    }

    private Instant time() {
        try {
            return Instant.parse(to);
        } catch (DateTimeParseException e) {
            throw new Failure("A group cannot be moved to '" + to
                    + "': give 'first', 'last', an offset, or a time as in 2026-11-24T10:15:30Z");
        }
    }
}
