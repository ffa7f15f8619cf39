package dev.outcrop.cli.db;

import dev.outcrop.rocksdb.KeyValueWriter;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ./outcrop db delete}. */
@Command(name = "delete", description = {"Remove keys, or all keys of a range.",
        "A key that is not there is no failure.", ""}, footer = {"", "  ./outcrop db delete data user:17",
                "  ./outcrop db delete data --prefix user:"})
final class DeleteCommand extends DatabaseAction {
    @Parameters(index = "1..*", arity = "0..*", paramLabel = "KEY", description = "The keys.")
    private List<String> keys = List.of();

    @Option(names = "--prefix", paramLabel = "KEY", description = "All keys that begin so.")
    private @Nullable String prefix;

    @Option(names = "--from", paramLabel = "KEY", description = "From this key on; with --to.")
    private @Nullable String from;

    @Option(names = "--to", paramLabel = "KEY", description = "Up to this key, which stays; with --from.")
    private @Nullable String to;

    @Mixin
    private FamilyOption family = new FamilyOption();

    @Mixin
    private EncodingOptions encoding = new EncodingOptions();

    @Override
    protected int act(PrintWriter out) {
        require((from == null) == (to == null), "--from and --to belong together");
        int ways = (keys.isEmpty() ? 0 : 1) + (prefix == null ? 0 : 1) + (from == null ? 0 : 1);
        require(ways == 1, "name keys, or a range with --prefix, or with --from and --to");
        byte[] begin = bytes("--prefix", prefix, bytes("--from", from, null));
        byte[] end = prefix != null ? behindPrefix(begin) : bytes("--to", to, null);
        List<byte[]> bytes = keys.stream().map(key -> encoding.bytes("KEY", key)).toList();
        try (OpenDatabase open = OpenDatabase.toWrite(directory())) {
            KeyValueWriter durably = OpenDatabase.durably(family.of(open.db()));
            if (begin != null && end != null) {
                durably.deleteRange(begin, end);
            }
            bytes.forEach(durably::delete);
        }
        return 0;
    }

    private byte @Nullable [] bytes(String option, @Nullable String argument, byte @Nullable [] otherwise) {
        return argument == null ? otherwise : encoding.bytes(option, argument);
    }

    /** Returns the first key after all keys that have the prefix, in the order of bytes. */
    private byte[] behindPrefix(byte @Nullable [] prefixBytes) {
        byte[] bytes = Objects.requireNonNull(prefixBytes);
        int last = bytes.length - 1;
        while (last >= 0 && bytes[last] == (byte) 0xff) {
            last--;
        }
        require(last >= 0, "there is no key behind those of --prefix; give --from and --to");
        byte[] behind = Arrays.copyOf(bytes, last + 1);
        behind[last]++;
        return behind;
    }
}
