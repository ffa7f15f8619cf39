package dev.outcrop.benchmarks.jruby;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import org.jruby.Ruby;
import org.jruby.RubyClass;
import org.jruby.RubyObject;
import org.jruby.anno.JRubyClass;
import org.jruby.anno.JRubyMethod;
import org.jruby.api.Convert;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.ByteList;
import org.jspecify.annotations.Nullable;

/** {@code TalkExtension}: a mapped file as in a JRuby extension of 2015, which writes the string's own bytes or a copy of them. */
@JRubyClass(name = "TalkExtension")
public final class TalkExtension extends RubyObject {
    private static final long serialVersionUID = 1;

    private transient @Nullable MappedByteBuffer buffer;

    TalkExtension(Ruby runtime, RubyClass type) {
        super(runtime, type);
    }

    /** Maps a file. */
    @JRubyMethod
    public IRubyObject initialize(ThreadContext context, IRubyObject path, IRubyObject size) {
        try {
            buffer = TalkBuffer.map(path.asJavaString(), Convert.toLong(context, size));
        } catch (IOException e) {
            throw context.runtime.newIOErrorFromException(e);
        }
        return this;
    }

    /** Goes back to the start. */
    @JRubyMethod
    public IRubyObject rewind(ThreadContext context) {
        open(context).rewind();
        return this;
    }

    /** "Unsafe": writes the string's own bytes. */
    @JRubyMethod(name = "put_bytes")
    public IRubyObject putBytes(ThreadContext context, IRubyObject string) {
        ByteList bytes = string.convertToString().getByteList();
        open(context).put(bytes.unsafeBytes(), bytes.begin(), bytes.realSize());
        return this;
    }

    /** "Safe": writes a copy of the string's bytes. */
    @JRubyMethod(name = "put_bytes_copy")
    public IRubyObject putBytesCopy(ThreadContext context, IRubyObject string) {
        open(context).put(string.convertToString().getBytes());
        return this;
    }

    private MappedByteBuffer open(ThreadContext context) {
        MappedByteBuffer open = buffer;
        if (open == null) {
            throw context.runtime.newIOError("not opened");
        }
        return open;
    }
}
