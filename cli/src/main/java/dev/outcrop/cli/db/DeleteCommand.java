package dev.outcrop.cli.db;

import dev.outcrop.rocksdb.ColumnFamily;
import dev.outcrop.rocksdb.KeyValueWriter;
import java.io.PrintWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ./outcrop db delete}. */
@Command(name = "delete", description = {"Remove keys, or all keys of a range.",
        "A key that is not there is no failure.", ""}, footer = {"", "  ./outcrop db delete data user:17",
                "  ./outcrop db delete data --from user: --to user;"})
final class DeleteCommand extends DatabaseAction {
    @Parameters(index = "1..*", arity = "0..*", paramLabel = "KEY", description = "The keys.")
    private List<String> keys = List.of();

    @Option(names = "--from", paramLabel = "KEY", description = "From this key on; with --to.")
    private @Nullable String from;

    @Option(names = "--to", paramLabel = "KEY", description = "Up to this key, which stays; with --from.")
    private @Nullable String to;

    @Mixin
    private FamilyOption family = new FamilyOption();

    @Mixin
    private NotationOptions notation = new NotationOptions();

    @Override
    int act(PrintWriter out) {
        require((from == null) == (to == null), "--from and --to belong together");
        require(keys.isEmpty() != (from == null), "name keys, or a range with --from and --to");
        byte[] begin = from == null ? null : notation.bytes("--from", from);
        byte[] end = to == null ? null : notation.bytes("--to", to);
        List<byte[]> bytes = keys.stream().map(key -> notation.bytes("KEY", key)).toList();
        try (OpenDatabase open = OpenDatabase.toWrite(directory())) {
            ColumnFamily of = family.of(open.db());
            KeyValueWriter durably = of.with(Writing.durable());
            if (begin != null && end != null) {
                durably.deleteRange(begin, end);
            }
            bytes.forEach(durably::delete);
        }
        return 0;
    }
}
