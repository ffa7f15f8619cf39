package dev.outcrop.jruby;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jcodings.Encoding;
import org.jcodings.specific.ASCIIEncoding;
import org.jcodings.specific.USASCIIEncoding;
import org.jcodings.specific.UTF8Encoding;
import org.jruby.RubyString;
import org.jruby.RubySymbol;
import org.jruby.api.Error;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/**
 * Turns names and paths from Ruby, which are bytes, into text. JRuby replaces all invalid bytes by one character, so that two names could
 * become one.
 */
final class RubyText {
    /** Encodings that are read as UTF-8: strings with the others declare no encoding. */
    private static final List<Encoding> UTF_8 = List.of(UTF8Encoding.INSTANCE, ASCIIEncoding.INSTANCE,
            USASCIIEncoding.INSTANCE);

    private RubyText() {
    }

    /** Returns the text. Raises an ArgumentError if the bytes are not valid in their encoding. */
    static String of(ThreadContext context, IRubyObject name) {
        IRubyObject text = name instanceof RubySymbol symbol ? symbol.to_s(context) : name;
        if (!(text instanceof RubyString string)) {
            return text.asJavaString();
        }
        Encoding encoding = string.getEncoding();
        if (!UTF_8.contains(encoding)) {
            if (string.isBrokenString()) {
                throw noText(context, string);
            }
            return string.asJavaString();
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(string.getBytes())).toString();
        } catch (CharacterCodingException e) {
            throw noText(context, string);
        }
    }

    private static RuntimeException noText(ThreadContext context, RubyString string) {
        return Error.argumentError(context,
                string.inspect(context).asJavaString() + " is not valid " + string.getEncoding()
                        + " and cannot be used as a name or path");
    }
}
