package dev.outcrop.jruby.common;

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
import org.jruby.api.Create;
import org.jruby.api.Error;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.ByteList;

/** Converts Ruby's strings. */
public final class RubyStrings {
    /** Encodings that are read as UTF-8: BINARY and US-ASCII say nothing about bytes beyond ASCII. */
    private static final List<Encoding> UTF_8 = List.of(UTF8Encoding.INSTANCE, ASCIIEncoding.INSTANCE,
            USASCIIEncoding.INSTANCE);

    private RubyStrings() {
    }

    /** Makes a string of encoding BINARY. The string keeps the array. */
    public static RubyString binary(ThreadContext context, byte[] bytes) {
        return Create.newString(context, new ByteList(bytes, ASCIIEncoding.INSTANCE, false));
    }

    /**
     * Decodes a name or a path, and raises ArgumentError if its bytes are not valid in their encoding. JRuby's own conversion replaces all
     * invalid bytes by the same character, which could make two names equal.
     */
    public static String text(ThreadContext context, IRubyObject name) {
        IRubyObject text = name instanceof RubySymbol symbol ? symbol.to_s(context) : name;
        if (!(text instanceof RubyString string)) {
            return text.asJavaString();
        }
        Encoding encoding = string.getEncoding();
        if (!UTF_8.contains(encoding)) {
            if (string.isBrokenString()) {
                throw invalid(context, string);
            }
            return string.asJavaString();
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(string.getBytes())).toString();
        } catch (CharacterCodingException e) {
            throw invalid(context, string);
        }
    }

    private static RuntimeException invalid(ThreadContext context, RubyString string) {
        return Error.argumentError(context,
                string.inspect(context).asJavaString() + " is not valid " + string.getEncoding()
                        + " and cannot be used as a name or path");
    }
}
