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
 * Names and paths of Ruby, which are bytes, as text. JRuby puts another character in the place of bytes that are no text, so that
 * different names would be one.
 */
final class RubyText {
    /** What is taken for UTF-8: of bytes without an encoding nobody knows more. */
    private static final List<Encoding> UTF_8 = List.of(UTF8Encoding.INSTANCE, ASCIIEncoding.INSTANCE,
            USASCIIEncoding.INSTANCE);

    private RubyText() {
    }

    /** The text; without a declared encoding it is UTF-8. An ArgumentError if there is none. */
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
                string.inspect(context).asJavaString() + " is no text in " + string.getEncoding()
                        + ", and cannot be a name or path here");
    }
}
