package dev.outcrop.cli.db;

import dev.outcrop.cli.common.Notation;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options by which keys and values are not text. */
final class NotationOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--hex", description = "Keys and values are hexadecimal digits.")
    private boolean hex;

    @Option(names = "--base64", description = "Keys and values are Base64.")
    private boolean base64;

    Notation notation() {
        if (hex && base64) {
            throw new ParameterException(spec.commandLine(), "--hex and --base64 exclude each other");
        }
        return hex ? Notation.HEX : base64 ? Notation.BASE64 : Notation.TEXT;
    }

    /** The bytes of an argument, which is named in messages. */
    byte[] bytes(String name, String argument) {
        try {
            return notation().parseArgument(argument);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), name + ": " + e.getMessage(), e);
        }
    }
}
