package dev.outcrop.cli.db;

import dev.outcrop.rocksdb.KeyRange;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options by which only some keys are meant. */
final class RangeOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--from", paramLabel = "KEY", description = "From this key on.")
    private @Nullable String from;

    @Option(names = "--to", paramLabel = "KEY", description = "Up to this key, which is not among them.")
    private @Nullable String to;

    @Option(names = "--prefix", paramLabel = "KEY", description = "Only keys that begin so.")
    private @Nullable String prefix;

    boolean isAll() {
        return from == null && to == null && prefix == null;
    }

    KeyRange range(NotationOptions notation) {
        if (prefix != null) {
            if (from != null || to != null) {
                throw new ParameterException(spec.commandLine(), "--prefix excludes --from and --to");
            }
            return KeyRange.prefix(notation.bytes("--prefix", prefix));
        }
        if (from != null && to != null) {
            return KeyRange.of(notation.bytes("--from", from), notation.bytes("--to", to));
        }
        if (from != null) {
            return KeyRange.from(notation.bytes("--from", from));
        }
        return to == null ? KeyRange.all() : KeyRange.to(notation.bytes("--to", to));
    }
}
