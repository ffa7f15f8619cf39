package dev.outcrop.cli.db;

import dev.outcrop.cli.common.Encoding;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options for keys and values that are not text. */
final class EncodingOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--hex", description = "Keys and values are hexadecimal digits.")
    private boolean hex;

    @Option(names = "--base64", description = "Keys and values are Base64.")
    private boolean base64;

    Encoding encoding() {
        if (hex && base64) {
            throw new ParameterException(spec.commandLine(), "--hex and --base64 exclude each other");
        }
        return hex ? Encoding.HEX : base64 ? Encoding.BASE64 : Encoding.TEXT;
    }

    /** Returns the bytes of an argument. Messages use its name. */
    byte[] bytes(String name, String argument) {
        try {
            return encoding().parseArgument(argument);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), name + ": " + e.getMessage(), e);
        }
    }
}
