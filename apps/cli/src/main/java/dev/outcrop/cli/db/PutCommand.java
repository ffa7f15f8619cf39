package dev.outcrop.cli.db;

import java.io.IOException;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ./outcrop db put}. */
@Command(name = "put", description = {"Store a value under a key. Replaces an earlier value.", ""}, footer = {
        "", "  ./outcrop db put data user:17 Ada", "  ./outcrop db put data picture < picture.png"})
final class PutCommand extends DatabaseAction {
    @Parameters(index = "1", paramLabel = "KEY", description = "The key.")
    private String key = "";

    @Parameters(index = "2", arity = "0..1", paramLabel = "VALUE", description = "The value. Default: the bytes of"
            + " the standard input, unchanged.")
    private @Nullable String value;

    @Mixin
    private FamilyOption family = new FamilyOption();

    @Mixin
    private EncodingOptions encoding = new EncodingOptions();

    @Option(names = "--create", description = "Create the database or the column family if needed.")
    private boolean create;

    @Override
    protected int act(PrintWriter out) throws IOException {
        byte[] bytes = encoding.bytes("KEY", key);
        byte[] content = value == null ? input() : encoding.bytes("VALUE", value);
        try (OpenDatabase open = OpenDatabase.toWrite(directory(), create, family)) {
            OpenDatabase.durably(family.of(open.db())).put(bytes, content);
        }
        return 0;
    }

    /** Reads the standard input. Nothing was changed yet, so the wait for the input may be abandoned. */
    private byte[] input() throws IOException {
        interruption().mayAbandon();
        byte[] content = System.in.readAllBytes();
        interruption().mustWait();
        return content;
    }
}
