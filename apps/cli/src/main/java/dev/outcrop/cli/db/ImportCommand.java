package dev.outcrop.cli.db;

import dev.outcrop.cli.common.Directories;
import dev.outcrop.cli.common.Failure;
import dev.outcrop.cli.common.Interruption;
import dev.outcrop.cli.common.Plural;
import dev.outcrop.cli.common.Progress;
import dev.outcrop.rocksdb.ColumnFamily;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ./outcrop db import}. */
@Command(name = "import", description = {"Store the entries of files that 'export' has written.",
        "They replace entries with the same keys.", ""}, footer = {
                "", "  ./outcrop db import data users.json --json -f users --create"})
final class ImportCommand extends DatabaseAction {
    @Parameters(index = "1..*", arity = "0..*", paramLabel = "FILE", description = "The files to read. Default: the standard input.")
    private List<Path> files = List.of();

    @Option(names = "--json", description = "A JSON object a line.")
    private boolean json;

    @Option(names = "--sst", description = "Table files of RocksDB (SST).")
    private boolean sst;

    @Option(names = "--create", description = "Create the database or the column family if needed.")
    private boolean create;

    @Mixin
    private FamilyOption family = new FamilyOption();

    @Mixin
    private EncodingOptions encoding = new EncodingOptions();

    @Override
    protected int act(PrintWriter out) throws IOException {
        require(!(sst && json), "--sst and --json exclude each other");
        require(!sst || !files.isEmpty(), "--sst needs a FILE");
        EntryText text = new EntryText(encoding.encoding(), json);
        for (Path file : files) {
            if (!Files.isReadable(file) || Files.isDirectory(file)) {
                throw new Failure("cannot read " + file + ": "
                        + (Files.exists(file) ? "it is a directory, or this user may not" : "there is no such file"));
            }
        }
        try (OpenDatabase open = OpenDatabase.toWrite(directory(), create, family)) {
            ColumnFamily of = family.of(open.db());
            if (sst) {
                of.ingest(files);
                out.println(Plural.of(files.size(), "table file is", "table files are") + " in the column family '"
                        + FamilyOption.shown(of.name()) + "' of "
                        + directory());
                return 0;
            }
            return lines(open, of, text, out);
        }
    }

    private int lines(OpenDatabase open, ColumnFamily of, EntryText text, PrintWriter out) throws IOException {
        Import entries = new Import(open.db(), of);
        try (Progress progress = Progress.of("import", "bytes",
                files.isEmpty() ? Progress.UNKNOWN : Directories.size(files))) {
            // Reading may wait without end for the next line. The lines before it are stored.
            interruption().stopBy(() -> interrupt(entries, open));
            if (files.isEmpty()) {
                lines(entries, System.in, null, text, progress);
            }
            for (Path file : files) {
                try (InputStream in = Files.newInputStream(file)) {
                    lines(entries, in, file, text, progress);
                }
            }
        }
        if (!entries.end()) {
            return Interruption.EXIT_CODE;
        }
        out.println(Plural.of(entries.stored(), "entry is", "entries are") + " stored");
        return 0;
    }

    /** Runs in the thread of the interruption. */
    private void interrupt(Import entries, OpenDatabase open) {
        try {
            if (entries.end()) {
                interrupted(Plural.of(entries.stored(), "entry is", "entries are")
                        + " stored, and the rest of the input is not");
            }
        } catch (Failure e) {
            warn(String.valueOf(e.getMessage()));
        } finally {
            open.close();
            interruption().mayAbandon();
        }
    }

    private void lines(Import entries, InputStream in, @Nullable Path file, EntryText text, Progress progress)
            throws IOException {
        // One character for each byte: the encoding interprets the bytes.
        BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.ISO_8859_1));
        long number = 0;
        for (String line = reader.readLine(); line != null && !interruption().isRequested(); line = reader.readLine()) {
            number++;
            try {
                text.parse(line.getBytes(StandardCharsets.ISO_8859_1), entries::add);
            } catch (IllegalArgumentException e) {
                boolean _ = entries.end();
                throw new Failure("line " + number + " of " + (file == null ? "the standard input" : file) + ": "
                        + e.getMessage() + "; stored before it: " + Plural.entries(entries.stored()));
            }
            progress.at(entries.read(line.length() + 1L));
        }
    }
}
