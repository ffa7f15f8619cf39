package dev.outcrop.cli.queue;

import dev.outcrop.cli.common.Failure;
import dev.outcrop.queue.Queue;
import dev.outcrop.queue.QueueFiles;
import dev.outcrop.queue.QueueLockedException;
import dev.outcrop.queue.QueueOptions;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Set;

/** A command that does something with the groups of a queue, which must be there. */
abstract class GroupsAction extends QueueAction {
    @Override
    final int act(Path directory, PrintWriter out) {
        // Fails where there is no queue, which opening would make.
        Set<String> _ = QueueFiles.tailers(directory);
        // How long records are kept is known to the queue's own program only: nothing is given back here.
        try (Queue queue = Queue.open(directory,
                new QueueOptions().keepBytes(Long.MAX_VALUE).backgroundThread(false))) {
            act(queue, out);
        } catch (QueueLockedException e) {
            actBesideWriter(directory, e, out);
        }
        return 0;
    }

    /** Does what can be done while another process writes; nothing, for what changes groups. */
    void actBesideWriter(Path directory, QueueLockedException writer, PrintWriter out) {
        throw writer;
    }

    /** Does it. */
    abstract void act(Queue queue, PrintWriter out);

    /** Refuses the name of a group that there is none of. */
    static void requireGroup(Queue queue, String name) {
        if (!queue.groups().contains(name)) {
            throw new Failure("There is no group '" + name + "' in " + queue.directory() + ", which has "
                    + (queue.groups().isEmpty() ? "none" : String.join(", ", queue.groups())));
        }
    }
}
