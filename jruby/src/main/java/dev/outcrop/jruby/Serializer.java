package dev.outcrop.jruby;

import org.jruby.RubyString;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jspecify.annotations.Nullable;

/** Calls serialize and deserialize of a Ruby object; without one, strings are what they are. */
final class Serializer {
    private final @Nullable IRubyObject ruby;

    Serializer(IRubyObject serializer) {
        this.ruby = serializer.isNil() ? null : serializer;
    }

    /** Whether no Ruby code runs, which might raise. */
    boolean isPlain() {
        return ruby == null;
    }

    RubyString serialize(ThreadContext context, IRubyObject object) {
        return (ruby == null ? object : ruby.callMethod(context, "serialize", object)).convertToString();
    }

    IRubyObject deserialize(ThreadContext context, byte[] bytes) {
        RubyString string = Strings.binary(context, bytes);
        return ruby == null ? string : ruby.callMethod(context, "deserialize", string);
    }
}
