package dev.outcrop.cli.db;

import dev.outcrop.cli.common.Failure;
import dev.outcrop.cli.common.Plural;
import dev.outcrop.cli.common.Progress;
import dev.outcrop.rocksdb.ColumnFamily;
import dev.outcrop.rocksdb.KeyRange;
import dev.outcrop.rocksdb.LoadedOptions;
import dev.outcrop.rocksdb.SstFileWriter;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ./outcrop db export}. */
@Command(name = "export", description = {"Write entries: lines of text, JSON lines, or SST.",
        "A line is key, tab, value. './outcrop db import' reads all of them.",
        ""}, footer = {"", "  ./outcrop db export data users.json --json -f users"})
final class ExportCommand extends DatabaseAction {
    @Parameters(index = "1", arity = "0..1", paramLabel = "FILE", description = "The file to write, which must not"
            + " exist yet. Default: the standard output.")
    private @Nullable Path file;

    @Option(names = "--json", description = "A JSON object a line.")
    private boolean json;

    @Option(names = "--sst", description = "A table file of RocksDB (SST).")
    private boolean sst;

    @Mixin
    private RangeOptions range = new RangeOptions();

    @Mixin
    private FamilyOption family = new FamilyOption();

    @Mixin
    private EncodingOptions encoding = new EncodingOptions();

    @Override
    protected int act(PrintWriter out) throws IOException {
        require(!(sst && json), "--sst and --json exclude each other");
        Path target = file;
        KeyRange keys = range.range(encoding);
        require(!sst || target != null, "--sst needs a FILE");
        EntryText text = new EntryText(encoding.encoding(), json);
        if (target == null) {
            onlyShows();
            try (OpenDatabase open = OpenDatabase.toRead(directory(), err())) {
                long count = lines(family.of(open.db()), keys, out, text, this::goesOn);
                return interruption().isCutShort()
                        ? interrupted("the output ends after " + Plural.entries(count) + "; there are more")
                        : 0;
            }
        }
        requireNew(target);
        try (OpenDatabase open = OpenDatabase.toRead(directory(), err())) {
            return toFile(family.of(open.db()), keys, target, text, out);
        }
    }

    private static void requireNew(Path target) {
        if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
            throw new Failure(target + " exists; name another file, or delete it first");
        }
    }

    /** Writes a file, which gets its name when it is complete. */
    private int toFile(ColumnFamily of, KeyRange keys, Path target, EntryText text, PrintWriter out)
            throws IOException {
        Path partial = target.resolveSibling(target.getFileName() + ".partial");
        requireNew(partial);
        try {
            long count = sst ? table(of, keys, partial) : lines(of, keys, partial, text);
            if (interruption().isRequested()) {
                return interrupted(target + " is not written");
            }
            requireNew(target);
            Files.move(partial, target);
            out.println(Plural.of(count, "entry is", "entries are") + " in " + target);
            return 0;
        } catch (IOException e) {
            throw Failure.of("cannot write " + target, e);
        } catch (UncheckedIOException e) {
            throw Failure.of("cannot write " + target, e);
        } finally {
            Files.deleteIfExists(partial);
        }
    }

    private long lines(ColumnFamily of, KeyRange keys, Path partial, EntryText text) throws IOException {
        try (BufferedWriter writer = Files.newBufferedWriter(partial)) {
            return lines(of, keys, writer, text, () -> !interruption().isRequested());
        }
    }

    private long lines(ColumnFamily of, KeyRange keys, Writer writer, EntryText text, BooleanSupplier goesOn) {
        try (Progress progress = progress(of)) {
            return Entries.each(of, keys, progress, goesOn, (key, value) -> {
                try {
                    writer.write(text.line(Entries.bytes(key), Entries.bytes(value)) + "\n");
                    return true;
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }

    private long table(ColumnFamily of, KeyRange keys, Path partial) {
        LoadedOptions stored = LoadedOptions.latest(directory());
        try (SstFileWriter writer = new SstFileWriter(partial,
                stored.columnFamilies().getOrDefault(of.name(), stored.database())); Progress progress = progress(of)) {
            long count = Entries.each(of, keys, progress, () -> !interruption().isRequested(),
                    (key, value) -> {
                        writer.put(key, value);
                        return true;
                    });
            boolean isWhole = !interruption().isRequested();
            if (count == 0 && isWhole) {
                throw new Failure("there are no entries, and a table file has at least one; nothing is written");
            }
            if (isWhole) {
                writer.finish();
            }
            return count;
        }
    }

    private Progress progress(ColumnFamily of) {
        long total = range.isAll() ? Entries.estimate(of) : Progress.UNKNOWN;
        return file == null
                ? Progress.besideOutput("export", "entries", total)
                : Progress.of("export", "entries", total);
    }
}
