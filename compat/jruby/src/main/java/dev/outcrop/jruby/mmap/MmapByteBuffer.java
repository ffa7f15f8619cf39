package dev.outcrop.jruby.mmap;

import dev.outcrop.jruby.common.RubyStrings;
import java.nio.file.Path;
import org.jruby.Ruby;
import org.jruby.RubyClass;
import org.jruby.RubyInteger;
import org.jruby.RubyObject;
import org.jruby.RubyString;
import org.jruby.anno.JRubyClass;
import org.jruby.anno.JRubyMethod;
import org.jruby.api.Convert;
import org.jruby.api.Error;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.Visibility;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.ByteList;
import org.jspecify.annotations.Nullable;

/**
 * {@code Mmap::ByteBuffer}: a mapped file with a position. Not thread-safe, but threads that use it at once cannot crash the process.
 */
@JRubyClass(name = "Mmap::ByteBuffer")
public final class MmapByteBuffer extends RubyObject {
    private static final long serialVersionUID = 1;
    private static final int LARGEST_STRING = Integer.MAX_VALUE - 8;

    private transient @Nullable FileMapping mapping;
    private long position;

    MmapByteBuffer(Ruby runtime, RubyClass type) {
        super(runtime, type);
    }

    /**
     * Maps a file, for initialize. Creates or extends the file if needed. The path is a string or answers to_path. The size is at least 1.
     */
    @JRubyMethod(visibility = Visibility.PRIVATE)
    public IRubyObject map(ThreadContext context, IRubyObject path, IRubyObject size) {
        Path file = MmapErrors.path(context, path);
        long bytes = Convert.toLong(context, size);
        if (bytes <= 0) {
            throw Error.argumentError(context, "the size of a mapped file must be positive, but is " + bytes);
        }
        mapping = MmapErrors.translate(context, () -> FileMapping.open(file, bytes));
        return this;
    }

    /** Returns how many bytes are mapped. */
    @JRubyMethod(name = {"size", "limit"})
    public RubyInteger size(ThreadContext context) {
        return Convert.asFixnum(context, open(context).size());
    }

    /** Returns the position of the next relative read or write. */
    @JRubyMethod
    public RubyInteger position(ThreadContext context) {
        open(context);
        return Convert.asFixnum(context, position);
    }

    /** Moves the position to a value from 0 to the size. */
    @JRubyMethod(name = "position=")
    public IRubyObject setPosition(ThreadContext context, IRubyObject value) {
        long to = Convert.toLong(context, value);
        if (to < 0 || to > open(context).size()) {
            throw Error.indexError(context, "position " + to + " is outside of 0.." + open(context).size());
        }
        position = to;
        return value;
    }

    /** Writes a signed number of 32 bits at the position, and moves the position by 4. */
    @JRubyMethod(name = "put_int")
    public IRubyObject putInt(ThreadContext context, IRubyObject value) {
        return putNext(context, Integer.BYTES, toInt(context, value));
    }

    /** Writes a signed number of 32 bits at an index. */
    @JRubyMethod(name = "put_int")
    public IRubyObject putInt(ThreadContext context, IRubyObject value, IRubyObject index) {
        return put(context, Convert.toLong(context, index), Integer.BYTES, toInt(context, value));
    }

    /** Reads a signed number of 32 bits at the position, and moves the position by 4. */
    @JRubyMethod(name = "get_int")
    public RubyInteger getInt(ThreadContext context) {
        return getNext(context, Integer.BYTES);
    }

    /** Reads a signed number of 32 bits at an index. */
    @JRubyMethod(name = "get_int")
    public RubyInteger getInt(ThreadContext context, IRubyObject index) {
        return get(context, Convert.toLong(context, index), Integer.BYTES);
    }

    /** Writes a signed number of 64 bits at the position, and moves the position by 8. */
    @JRubyMethod(name = "put_long")
    public IRubyObject putLong(ThreadContext context, IRubyObject value) {
        return putNext(context, Long.BYTES, Convert.toLong(context, value));
    }

    /** Writes a signed number of 64 bits at an index. */
    @JRubyMethod(name = "put_long")
    public IRubyObject putLong(ThreadContext context, IRubyObject value, IRubyObject index) {
        return put(context, Convert.toLong(context, index), Long.BYTES, Convert.toLong(context, value));
    }

    /** Reads a signed number of 64 bits at the position, and moves the position by 8. */
    @JRubyMethod(name = "get_long")
    public RubyInteger getLong(ThreadContext context) {
        return getNext(context, Long.BYTES);
    }

    /** Reads a signed number of 64 bits at an index. */
    @JRubyMethod(name = "get_long")
    public RubyInteger getLong(ThreadContext context, IRubyObject index) {
        return get(context, Convert.toLong(context, index), Long.BYTES);
    }

    /**
     * Writes the bytes of a string at the position, and moves the position behind them. The bytes are copied once, from the string to the
     * file.
     */
    @JRubyMethod(name = "put_bytes")
    public IRubyObject putBytes(ThreadContext context, IRubyObject string) {
        ByteList bytes = string.convertToString().getByteList();
        return put(context, bytes.getUnsafeBytes(), bytes.getBegin(), bytes.getRealSize());
    }

    /**
     * Writes a part of a string. The arguments are the string, the offset of the first byte, and the number of bytes; by default all bytes
     * that follow.
     */
    @JRubyMethod(name = "put_bytes", required = 1, optional = 2, checkArity = true)
    public IRubyObject putBytes(ThreadContext context, IRubyObject[] arguments) {
        ByteList bytes = arguments[0].convertToString().getByteList();
        int from = from(context, bytes, arguments);
        return put(context, bytes.getUnsafeBytes(), bytes.getBegin() + from, length(context, bytes, from, arguments));
    }

    /** Writes like put_bytes, but from a private copy, which other threads cannot change meanwhile. */
    @JRubyMethod(name = "put_bytes_copy", required = 1, optional = 2, checkArity = true)
    public IRubyObject putBytesCopy(ThreadContext context, IRubyObject[] arguments) {
        ByteList bytes = arguments[0].convertToString().getByteList();
        int from = from(context, bytes, arguments);
        int length = length(context, bytes, from, arguments);
        byte[] copy = new byte[length];
        try {
            System.arraycopy(bytes.getUnsafeBytes(), bytes.getBegin() + from, copy, 0, length);
        } catch (IndexOutOfBoundsException e) {
            throw MmapErrors.ruby(context, e);
        }
        return put(context, copy, 0, length);
    }

    /** Reads bytes at the position into a binary string, and moves the position behind them. */
    @JRubyMethod(name = "get_bytes")
    public RubyString getBytes(ThreadContext context, IRubyObject size) {
        long length = Convert.toLong(context, size);
        FileMapping open = open(context);
        if (length < 0) {
            throw Error.argumentError(context, "negative size " + length);
        }
        long at = position;
        if (length > open.size() - at) {
            throw outside(context, at, length, open);
        }
        if (length > LARGEST_STRING) {
            throw Error.argumentError(context,
                    "a string can have " + LARGEST_STRING + " bytes, but " + length + " were asked for");
        }
        try {
            RubyString string = RubyStrings.binary(context, open.getBytes(at, (int) length));
            position = at + length;
            return string;
        } catch (RuntimeException | InternalError e) {
            throw MmapErrors.ruby(context, e);
        }
    }

    /** Reads the file into memory. */
    @JRubyMethod
    public IRubyObject load(ThreadContext context) {
        FileMapping open = open(context);
        return MmapErrors.translate(context, () -> {
            open.load();
            return this;
        });
    }

    /** Waits until all written data is on the device. */
    @JRubyMethod
    public IRubyObject force(ThreadContext context) {
        FileMapping open = open(context);
        return MmapErrors.translate(context, () -> {
            open.force();
            return this;
        });
    }

    /** Unmaps the file. Closing again is harmless. */
    @JRubyMethod
    public IRubyObject close(ThreadContext context) {
        FileMapping open = mapping;
        return MmapErrors.translate(context, () -> {
            if (open != null) {
                open.close();
            }
            return context.nil;
        });
    }

    /** Tells whether it was closed. */
    @JRubyMethod(name = "closed?")
    public IRubyObject isClosed(ThreadContext context) {
        FileMapping open = mapping;
        return Convert.asBoolean(context, open == null || open.isClosed());
    }

    private FileMapping open(ThreadContext context) {
        FileMapping open = mapping;
        if (open == null) {
            throw context.runtime.newIOError("the mapped file was not opened");
        }
        if (open.isClosed()) {
            throw context.runtime.newIOError("the mapped file " + open.path() + " is closed");
        }
        return open;
    }

    private IRubyObject putNext(ThreadContext context, int bytes, long number) {
        long at = position;
        IRubyObject _ = put(context, at, bytes, number);
        position = at + bytes;
        return this;
    }

    private IRubyObject put(ThreadContext context, long at, int bytes, long number) {
        FileMapping open = check(context, at, bytes);
        try {
            if (bytes == Integer.BYTES) {
                open.putInt(at, (int) number);
            } else {
                open.putLong(at, number);
            }
            return this;
        } catch (RuntimeException | InternalError e) {
            throw MmapErrors.ruby(context, e);
        }
    }

    private RubyInteger getNext(ThreadContext context, int bytes) {
        long at = position;
        RubyInteger number = get(context, at, bytes);
        position = at + bytes;
        return number;
    }

    private RubyInteger get(ThreadContext context, long at, int bytes) {
        FileMapping open = check(context, at, bytes);
        try {
            return Convert.asFixnum(context, bytes == Integer.BYTES ? open.getInt(at) : open.getLong(at));
        } catch (RuntimeException | InternalError e) {
            throw MmapErrors.ruby(context, e);
        }
    }

    private IRubyObject put(ThreadContext context, byte[] bytes, int from, int length) {
        long at = position;
        FileMapping open = check(context, at, length);
        try {
            open.putBytes(at, bytes, from, length);
        } catch (RuntimeException | InternalError e) {
            throw MmapErrors.ruby(context, e);
        }
        position = at + length;
        return this;
    }

    private FileMapping check(ThreadContext context, long at, long length) {
        FileMapping open = open(context);
        if (at < 0 || at > open.size() - length) {
            throw outside(context, at, length, open);
        }
        return open;
    }

    private static RuntimeException outside(ThreadContext context, long at, long length, FileMapping open) {
        return Error.indexError(context,
                length + " bytes at " + at + " are outside of the mapped file " + open.path() + ", which has "
                        + open.size());
    }

    private static int toInt(ThreadContext context, IRubyObject value) {
        long number = Convert.toLong(context, value);
        if (number != (int) number) {
            throw Error.rangeError(context, number + " does not fit into 4 bytes");
        }
        return (int) number;
    }

    private static int from(ThreadContext context, ByteList bytes, IRubyObject[] arguments) {
        long from = arguments.length > 1 ? Convert.toLong(context, arguments[1]) : 0;
        if (from < 0 || from > bytes.getRealSize()) {
            throw Error.indexError(context,
                    "offset " + from + " is outside of the string, which has " + bytes.getRealSize() + " bytes");
        }
        return (int) from;
    }

    private static int length(ThreadContext context, ByteList bytes, int from, IRubyObject[] arguments) {
        int rest = bytes.getRealSize() - from;
        long length = arguments.length > 2 ? Convert.toLong(context, arguments[2]) : rest;
        if (length < 0) {
            throw Error.argumentError(context, "negative length " + length);
        }
        if (length > rest) {
            throw Error.indexError(context,
                    length + " bytes from offset " + from + " are outside of the string, which has "
                            + bytes.getRealSize());
        }
        return (int) length;
    }
}
