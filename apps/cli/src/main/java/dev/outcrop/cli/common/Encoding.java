package dev.outcrop.cli.common;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;

/** A way to write bytes as characters. {@link #parse} reverses {@link #format}. */
public enum Encoding {
    /** Plain text. A backslash, control characters and bytes that are not UTF-8 are written with a backslash in front. */
    TEXT {
        @Override
        public byte[] parse(byte[] text) {
            return unescaped(text);
        }

        @Override
        public String format(byte[] bytes) {
            return escaped(bytes);
        }
    },
    /** Two hexadecimal digits for each byte. */
    HEX {
        @Override
        public byte[] parse(byte[] text) {
            String digits = new String(text, StandardCharsets.UTF_8);
            try {
                return HexFormat.of().parseHex(digits);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("'" + digits + "' is not two hexadecimal digits for each byte", e);
            }
        }

        @Override
        public String format(byte[] bytes) {
            return HexFormat.of().formatHex(bytes);
        }
    },
    /** Base 64, RFC 4648. */
    BASE64 {
        @Override
        public byte[] parse(byte[] text) {
            try {
                return Base64.getDecoder().decode(text);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("'" + new String(text, StandardCharsets.UTF_8) + "' is not Base64",
                        e);
            }
        }

        @Override
        public String format(byte[] bytes) {
            return Base64.getEncoder().encodeToString(bytes);
        }
    };

    /** The JDK's replacement for characters that it cannot read. */
    public static final char REPLACEMENT = '\ufffd';

    /** Parses the encoding, in UTF-8. If it is wrong, the message of the IllegalArgumentException says why. */
    public abstract byte[] parse(byte[] text);

    /** Writes bytes as characters, without line ends and tabs. */
    public abstract String format(byte[] bytes);

    /** Parses an argument of the command line. Fails if the argument is wrong, or if Java could not read it. */
    public final byte[] parseArgument(String argument) {
        if (argument.indexOf(REPLACEMENT) >= 0) {
            // The wrong bytes would be stored.
            throw new IllegalArgumentException("'" + argument + "' has characters that this locale does not have;"
                    + " set LC_ALL=C.UTF-8, or give it with --hex");
        }
        return parse(argument.getBytes(StandardCharsets.UTF_8));
    }

    /** Tells whether bytes are UTF-8. */
    public static boolean isText(byte[] bytes) {
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        return !decoder.decode(ByteBuffer.wrap(bytes), CharBuffer.allocate(bytes.length), true).isError();
    }

    private static String escaped(byte[] bytes) {
        StringBuilder text = new StringBuilder(bytes.length);
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(bytes.length);
        while (in.hasRemaining()) {
            CoderResult result = decoder.reset().decode(in, out, true);
            out.flip().codePoints().forEach(c -> escape(c, text));
            out.clear();
            for (int i = 0; result.isError() && i < result.length(); i++) {
                escape(in.get(), text);
            }
        }
        return text.toString();
    }

    private static void escape(int c, StringBuilder text) {
        switch (c) {
            case '\\' -> text.append("\\\\");
            case '\n' -> text.append("\\n");
            case '\r' -> text.append("\\r");
            case '\t' -> text.append("\\t");
            default -> {
                if (isVisible(c)) {
                    text.appendCodePoint(c);
                } else {
                    for (byte octet : Character.toString(c).getBytes(StandardCharsets.UTF_8)) {
                        escape(octet, text);
                    }
                }
            }
        }
    }

    private static void escape(byte octet, StringBuilder text) {
        text.append("\\x").append(HexFormat.of().toHexDigits(octet));
    }

    /** Tells whether a terminal only shows the character. */
    private static boolean isVisible(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.PRIVATE_USE,
                    Character.UNASSIGNED, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR ->
                false;
            default -> true;
        };
    }

    private static byte[] unescaped(byte[] text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length);
        ByteBuffer in = ByteBuffer.wrap(text);
        while (in.hasRemaining()) {
            byte next = in.get();
            if (next != '\\') {
                bytes.write(next);
                continue;
            }
            switch (in.hasRemaining() ? in.get() : 0) {
                case '\\' -> bytes.write('\\');
                case 'n' -> bytes.write('\n');
                case 'r' -> bytes.write('\r');
                case 't' -> bytes.write('\t');
                case 'x' -> bytes.write(octet(in, text));
                default -> throw wrongEscape(text);
            }
        }
        return bytes.toByteArray();
    }

    private static int octet(ByteBuffer in, byte[] text) {
        if (in.remaining() >= 2) {
            byte high = in.get();
            byte low = in.get();
            if (HexFormat.isHexDigit(high) && HexFormat.isHexDigit(low)) {
                return HexFormat.fromHexDigit(high) << 4 | HexFormat.fromHexDigit(low);
            }
        }
        throw wrongEscape(text);
    }

    private static IllegalArgumentException wrongEscape(byte[] text) {
        return new IllegalArgumentException("in '" + new String(text, StandardCharsets.UTF_8)
                + "' a backslash must be followed by n, r, t, x and two hexadecimal digits, or another backslash");
    }
}
