package dev.outcrop.cli.pipe;

import dev.outcrop.cli.common.Directories;
import dev.outcrop.cli.common.Failure;
import dev.outcrop.cli.common.LibraryLog;
import dev.outcrop.cli.common.Progress;
import dev.outcrop.cli.db.DatabaseAction;
import dev.outcrop.cli.db.FamilyOption;
import dev.outcrop.cli.db.Messages;
import dev.outcrop.cli.db.OpenDatabase;
import dev.outcrop.cli.queue.NewQueue;
import dev.outcrop.pipeline.Pipeline;
import dev.outcrop.pipeline.PipelineException;
import dev.outcrop.queue.Queue;
import dev.outcrop.queue.QueueException;
import dev.outcrop.queue.QueueOptions;
import dev.outcrop.rocksdb.LoadedOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ./outcrop pipe}. */
@Command(name = "pipe", abbreviateSynopsis = true, description = {
        "Store lines, CSV or JSON lines through a queue in a database, each once.",
        "However often it is killed, the same command goes on where it was. This also",
        "holds for the standard input with --resume, if the input is the same."}, footer = {
                "  ./outcrop pipe data users.csv --key id --create"})
public final class PipeCommand extends DatabaseAction {
    /** Two chunks fit into a file of the queue. */
    private static final long SEGMENT = 48 << 20;
    private static final long MOST_WAITING = 256 << 20;

    @Parameters(index = "1..*", arity = "0..*", paramLabel = "FILE", description = "The files to read. Default: the standard input.")
    private List<Path> files = List.of();

    @Mixin
    private FormatOptions format = new FormatOptions();

    @Option(names = "--merge", description = "Merge values into existing ones.")
    private boolean merge;

    @Mixin
    private FamilyOption family = new FamilyOption();

    @Option(names = "--queue", paramLabel = "QUEUE", description = "The queue's directory. Default: as before, or DIR.queue.")
    private @Nullable Path queueDirectory;

    @Option(names = "--create", description = "Create database, column family or queue if needed.")
    private boolean create;

    @Option(names = "--bad", paramLabel = "QUEUE", description = "Put bad records into this queue. Default: stop there.")
    private @Nullable Path bad;

    @Option(names = "--again", description = "Take files from their beginning, taken or not.")
    private boolean again;

    @Option(names = "--resume", description = "The standard input is that of last time: go on there.")
    private boolean resume;

    @Option(names = "--follow", description = "Go on when files grow, until Ctrl-C.")
    private boolean follow;

    @Option(names = "--json", description = "Print the result as JSON.")
    private boolean json;

    @Override
    protected int act(PrintWriter out) throws IOException {
        // The command itself says why it has stopped.
        LibraryLog.silence(Pipeline.class.getName());
        // Do not warn: a nearly full disk may have room for the records, but not for a file that is made in advance.
        LibraryLog.silence(Queue.class.getPackageName() + ".Housekeeper");
        require(!files.isEmpty() || (!follow && !again), "--follow and --again need a FILE");
        require(files.isEmpty() || !resume, "--resume is for the standard input; files go on by themselves");
        format.require(files);
        for (Path file : files) {
            requireFile(file);
        }
        OpenDatabase.requireDatabaseUnlessCreated(directory(), create);
        if (merge) {
            requireMergeOperator();
        }
        try (OpenDatabase open = OpenDatabase.toWrite(directory(), create, family)) {
            String name = family.of(open.db()).name();
            Positions positions = new Positions(open.db());
            try (Queue queue = queue(positions);
                    RejectedRecords rejected = bad == null ? null : rejected(bad, queue);
                    DatabaseSink sink = new DatabaseSink(queue, open.db(), positions, rejected)) {
                return run(name, positions, sink, out);
            }
        } catch (QueueException | PipelineException e) {
            throw new Failure(Messages.of(e), e);
        }
    }

    /** Fails if there is no merge operator: an entry that the database refuses would stay in the queue, with all records after it. */
    private void requireMergeOperator() {
        Map<String, Map<String, String>> sections = Files.isDirectory(directory())
                ? LoadedOptions.sections(directory())
                : Map.of();
        String before = "CFOptions \"";
        String name = family.name(sections.keySet().stream().filter(section -> section.startsWith(before))
                .map(section -> section.substring(before.length(), section.length() - 1)).toList());
        Map<String, String> stored = sections.get(before + name + "\"");
        if (stored == null ? create : "nullptr".equals(stored.get("merge_operator"))) {
            throw new Failure("the column family '" + FamilyOption.shown(name) + "' of " + directory()
                    + " has no merge operator; open it in a program with one first, or leave --merge out");
        }
    }

    private static void requireFile(Path file) {
        if (Files.isRegularFile(file) && Files.isReadable(file)) {
            return;
        }
        throw new Failure("cannot read " + file + ": " + (!Files.exists(file)
                ? "there is no such file"
                : Files.isRegularFile(file)
                        ? "this user may not"
                        : Files.isDirectory(file)
                                ? "it is a directory; give its files"
                                : "it is not a regular file; give its content as the standard input"));
    }

    private Queue queue(Positions positions) throws IOException {
        Path given = queueDirectory;
        Path known = positions.knownQueue();
        Path place = given != null
                ? given
                : known != null ? known : directory().resolveSibling(directory().getFileName() + ".queue");
        positions.requireQueue(place);
        if (!Positions.isQueue(place)) {
            if (!create) {
                throw new Failure("there is no queue in " + place + "; give --create to make one"
                        + (given == null && known == null ? ", or name one with --queue" : ""));
            }
            NewQueue.requireNothingElse(place);
        }
        Queue queue = Queue.open(place,
                new QueueOptions().segmentSize(SEGMENT).maxBytes(MOST_WAITING).fullTimeout(DatabaseSink.PATIENCE));
        try {
            if (positions.remember(queue)) {
                warn("the queue from which " + directory() + " was filled before is gone: files go on where the"
                        + " database is; records of the standard input that only that queue had are lost");
            }
            return queue;
        } catch (Throwable e) {
            queue.close();
            throw e;
        }
    }

    private static RejectedRecords rejected(Path place, Queue queue) throws IOException {
        NewQueue.requireNothingElse(place);
        return new RejectedRecords(place, queue);
    }

    private int run(String familyName, Positions positions, DatabaseSink sink, PrintWriter out) throws IOException {
        try (PipeRun run = new PipeRun(positions, sink, interruption(),
                files.isEmpty() || follow ? Progress.UNKNOWN : Directories.size(files))) {
            Source.Rules rules = new Source.Rules(familyName, merge, bad != null, run::append);
            try {
                take(run, rules);
            } catch (Failure | IOException e) {
                // Store what was read before the failure, unless storing has failed.
                run.drain();
                throw e;
            }
            run.drain();
            PipeSummary summary = run.summary();
            boolean isInterrupted = interruption().isRequested();
            if (json) {
                out.println(summary.json());
            } else if (!isInterrupted) {
                out.println(summary.text());
            }
            return isInterrupted ? interrupted(summary.interrupted()) : 0;
        }
    }

    private void take(PipeRun run, Source.Rules rules) throws IOException {
        if (files.isEmpty()) {
            Source input = Source.standardInput(format.create(null), rules);
            run.take(input, resume ? run.known(rules.family(), input) : Position.START, true);
        }
        Set<String> done = new HashSet<>();
        for (Path file : files) {
            if (!interruption().isRequested() && done.add(Source.id(file))) {
                Source input = Source.file(file, format.create(file), rules);
                run.take(input, again ? Position.START : run.known(rules.family(), input), !follow);
            }
        }
        if (follow) {
            run.follow();
        }
    }
}
