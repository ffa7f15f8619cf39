package dev.outcrop.cli.db;

import dev.outcrop.rocksdb.KeyRange;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that limit a command to some keys. */
final class RangeOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--from", paramLabel = "KEY", description = "From this key on.")
    private @Nullable String from;

    @Option(names = "--to", paramLabel = "KEY", description = "Up to this key, exclusive.")
    private @Nullable String to;

    @Option(names = "--prefix", paramLabel = "KEY", description = "Only keys with this prefix.")
    private @Nullable String prefix;

    boolean isAll() {
        return from == null && to == null && prefix == null;
    }

    KeyRange range(EncodingOptions encoding) {
        if (prefix != null) {
            if (from != null || to != null) {
                throw new ParameterException(spec.commandLine(), "--prefix excludes --from and --to");
            }
            return KeyRange.prefix(encoding.bytes("--prefix", prefix));
        }
        if (from != null && to != null) {
            return KeyRange.of(encoding.bytes("--from", from), encoding.bytes("--to", to));
        }
        if (from != null) {
            return KeyRange.from(encoding.bytes("--from", from));
        }
        return to == null ? KeyRange.all() : KeyRange.to(encoding.bytes("--to", to));
    }
}
