package dev.outcrop.cli;

import dev.outcrop.cli.common.Failure;
import dev.outcrop.cli.common.StandardOutput;
import dev.outcrop.cli.db.DbCommand;
import dev.outcrop.cli.demo.DemoCommand;
import dev.outcrop.cli.pipe.PipeCommand;
import dev.outcrop.cli.queue.QueueCommand;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The program {@code ./outcrop}. Without a command it prints its help. */
@Command(name = "./outcrop", mixinStandardHelpOptions = true, versionProvider = Main.Version.class, description = {
        "Native storage for the JVM, without JNI.", "'./outcrop COMMAND --help' tells more about a command.", ""})
public final class Main implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    private Main() {
    }

    /** Runs a command and exits with its code. */
    public static void main(String[] args) {
        StandardOutput output = new StandardOutput();
        CommandLine program = commandLine(args).setOut(output.writer());
        int code = program.execute(args);
        program.getOut().flush();
        try {
            output.requireWritten();
        } catch (Failure e) {
            code = onFailure(e, program);
        }
        System.exit(code);
    }

    /** Returns the parser with its error handlers; tests run it without exiting the JVM. */
    static CommandLine commandLine() {
        // These two commands pass unknown options to the programs that they start.
        CommandLine bench = new CommandLine(new BenchmarksCommand.Bench()).setUnmatchedOptionsArePositionalParams(true);
        CommandLine misuse = new CommandLine(new BenchmarksCommand.Misuse())
                .setUnmatchedOptionsArePositionalParams(true);
        return withHandlers(new CommandLine(new Main()).addSubcommand(new DemoCommand()).addSubcommand(new DbCommand())
                .addSubcommand(new QueueCommand()).addSubcommand(new PipeCommand()).addSubcommand(bench)
                .addSubcommand(misuse)
                .addSubcommand(new CompletionCommand()));
    }

    /**
     * Returns the same parser for these arguments. If they name no command, the commands have only their descriptions, because it takes
     * time to build their options and subcommands.
     */
    static CommandLine commandLine(String[] args) {
        if (args.length > 0 && !args[0].startsWith("-")) {
            return commandLine();
        }
        CommandLine program = new CommandLine(new Main());
        for (Class<?> command : List.of(DemoCommand.class, DbCommand.class, QueueCommand.class, PipeCommand.class,
                BenchmarksCommand.Bench.class,
                BenchmarksCommand.Misuse.class, CompletionCommand.class)) {
            Command described = Objects.requireNonNull(command.getAnnotation(Command.class));
            CommandSpec spec = CommandSpec.create().name(described.name());
            spec.usageMessage().description(described.description());
            program.addSubcommand(described.name(), spec);
        }
        return withHandlers(program);
    }

    private static CommandLine withHandlers(CommandLine program) {
        program.getCommandSpec().usageMessage().commandListHeading("%nCommands:%n");
        program.setExpandAtFiles(false);
        program.setParameterExceptionHandler(Main::onWrongUsage);
        program.setExecutionExceptionHandler(Main::onFailure);
        return program;
    }

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    /** Prints one line on the standard error: the mistake, the likely intention, and where to read more. */
    private static int onWrongUsage(ParameterException exception, String[] args) {
        CommandLine command = exception.getCommandLine();
        String problem = exception instanceof UnmatchedArgumentException unmatched
                ? unmatched(unmatched, command)
                : oneLine(exception);
        PrintWriter err = command.getErr();
        err.println("outcrop: " + problem + " (see '" + command.getCommandSpec().qualifiedName() + " --help')");
        err.flush();
        return CommandLine.ExitCode.USAGE;
    }

    private static String unmatched(UnmatchedArgumentException exception, CommandLine command) {
        String argument = "'" + exception.getUnmatched().getFirst() + "'";
        Set<String> commands = command.getSubcommands().keySet();
        List<String> suggestions = exception.getSuggestions();
        String hint = suggestions.isEmpty() ? "" : "; did you mean '" + suggestions.getFirst() + "'?";
        if (exception.isUnknownOption()) {
            return "unknown option " + argument + hint;
        }
        if (commands.isEmpty()) {
            return "unexpected argument " + argument;
        }
        return "unknown command " + argument + "; the commands are " + String.join(", ", commands);
    }

    private static int onFailure(Exception exception, CommandLine command, ParseResult result) throws Exception {
        if (!(exception instanceof Failure)) {
            throw exception; // a bug: the stack trace is wanted
        }
        return onFailure(exception, command);
    }

    private static int onFailure(Exception exception, CommandLine command) {
        PrintWriter err = command.getErr();
        err.println("outcrop: " + oneLine(exception));
        err.flush();
        return CommandLine.ExitCode.SOFTWARE;
    }

    private static String oneLine(Exception exception) {
        return String.valueOf(exception.getMessage()).strip().replaceAll("\\s*\\R\\s*", " ")
                // Replace the ends of picocli's messages.
                .replaceFirst("' is not an? (long|int)$", "' is not a whole number");
    }

    /** The versions of Outcrop, of the native engine and of the running JDK. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            Properties versions = new Properties();
            try (InputStream stream = Main.class.getResourceAsStream("version.properties")) {
                versions.load(stream);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return new String[]{"outcrop " + versions.getProperty("outcrop") + " (RocksDB "
                    + versions.getProperty("rocksdb") + ", Java " + Runtime.version() + ")"};
        }
    }
}
