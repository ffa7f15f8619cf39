package dev.outcrop.jruby;

import org.jcodings.specific.ASCIIEncoding;
import org.jruby.RubyString;
import org.jruby.api.Create;
import org.jruby.runtime.ThreadContext;
import org.jruby.util.ByteList;

/** Ruby's strings from bytes. */
final class Strings {
    private Strings() {
    }

    /** The bytes themselves, not a copy, with Ruby's encoding BINARY: nobody knows what they mean. */
    static RubyString binary(ThreadContext context, byte[] bytes) {
        return Create.newString(context, new ByteList(bytes, ASCIIEncoding.INSTANCE, false));
    }
}
