package dev.outcrop.jruby.mmap;

import dev.outcrop.jruby.common.RubyStrings;
import org.jruby.RubyString;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jspecify.annotations.Nullable;

/** Calls serialize and deserialize of a Ruby object. Without one, the items are strings. */
final class Serializer {
    private final @Nullable IRubyObject ruby;

    Serializer(IRubyObject serializer) {
        this.ruby = serializer.isNil() ? null : serializer;
    }

    /** Tells whether there is no Ruby object. */
    boolean isPlain() {
        return ruby == null;
    }

    RubyString serialize(ThreadContext context, IRubyObject object) {
        return (ruby == null ? object : ruby.callMethod(context, "serialize", object)).convertToString();
    }

    IRubyObject deserialize(ThreadContext context, byte[] bytes) {
        RubyString string = RubyStrings.binary(context, bytes);
        return ruby == null ? string : ruby.callMethod(context, "deserialize", string);
    }
}
