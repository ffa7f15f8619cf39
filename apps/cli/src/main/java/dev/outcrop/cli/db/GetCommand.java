package dev.outcrop.cli.db;

import dev.outcrop.cli.common.StandardOutput;
import dev.outcrop.rocksdb.ColumnFamily;
import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ./outcrop db get}. */
@Command(name = "get", description = {"Show the value of a key.", "Ends with 3 if there is none.", ""}, footer = {"",
        "  ./outcrop db get data user:17"})
final class GetCommand extends DatabaseAction {
    @Parameters(index = "1", paramLabel = "KEY", description = "The key.")
    private String key = "";

    @Mixin
    private FamilyOption family = new FamilyOption();

    @Mixin
    private EncodingOptions encoding = new EncodingOptions();

    @Option(names = "--json", description = "As a JSON object.")
    private boolean json;

    @Option(names = "--raw", description = "The value's bytes as they are, without a line end.")
    private boolean raw;

    @Override
    protected int act(PrintWriter out) throws IOException {
        require(!(raw && json), "--raw and --json exclude each other");
        byte[] bytes = encoding.bytes("KEY", key);
        try (OpenDatabase open = OpenDatabase.toRead(directory(), err())) {
            ColumnFamily of = family.of(open.db());
            byte[] value = of.get(bytes);
            if (value == null) {
                warn("there is no key '" + encoding.encoding().format(bytes) + "' in the column family '"
                        + FamilyOption.shown(of.name()) + "' of " + directory());
                return NOT_FOUND;
            }
            if (raw) {
                writeRaw(value);
            } else {
                out.println(new EntryText(encoding.encoding(), json).line(json ? bytes : null, value));
            }
            return 0;
        }
    }

    private static void writeRaw(byte[] value) {
        StandardOutput out = new StandardOutput();
        try {
            out.write(value, 0, value.length);
        } catch (IOException e) {
            out.requireWritten();
        }
    }
}
