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
     * Maps a file, which is created and made as long as need be; what initialize calls.
     *
     * @param context of the caller
     * @param path    a string, or what answers to_path
     * @param size    bytes, at least 1
     * @return this
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

    /**
     * How much is mapped.
     *
     * @param context of the caller
     * @return bytes
     */
    @JRubyMethod(name = {"size", "limit"})
    public RubyInteger size(ThreadContext context) {
        return Convert.asFixnum(context, open(context).size());
    }

    /**
     * Where the next relative method reads or writes.
     *
     * @param context of the caller
     * @return bytes from the start
     */
    @JRubyMethod
    public RubyInteger position(ThreadContext context) {
        open(context);
        return Convert.asFixnum(context, position);
    }

    /**
     * Moves the position.
     *
     * @param context of the caller
     * @param value   from 0 to the size
     * @return the value
     */
    @JRubyMethod(name = "position=")
    public IRubyObject setPosition(ThreadContext context, IRubyObject value) {
        long to = Convert.toLong(context, value);
        if (to < 0 || to > open(context).size()) {
            throw Error.indexError(context, "position " + to + " is outside of 0.." + open(context).size());
        }
        position = to;
        return value;
    }

    /**
     * Writes a number at the position, and moves that by 4.
     *
     * @param context of the caller
     * @param value   a signed number of 32 bits
     * @return this
     */
    @JRubyMethod(name = "put_int")
    public IRubyObject putInt(ThreadContext context, IRubyObject value) {
        int number = toInt(context, value);
        long at = position;
        putInt(context, at, number);
        position = at + Integer.BYTES;
        return this;
    }

    /**
     * Writes a number.
     *
     * @param context of the caller
     * @param value   a signed number of 32 bits
     * @param index   bytes from the start
     * @return this
     */
    @JRubyMethod(name = "put_int")
    public IRubyObject putInt(ThreadContext context, IRubyObject value, IRubyObject index) {
        putInt(context, Convert.toLong(context, index), toInt(context, value));
        return this;
    }

    /**
     * Reads a number at the position, and moves that by 4.
     *
     * @param context of the caller
     * @return a signed number of 32 bits
     */
    @JRubyMethod(name = "get_int")
    public RubyInteger getInt(ThreadContext context) {
        long at = position;
        RubyInteger value = getInt(context, at);
        position = at + Integer.BYTES;
        return value;
    }

    /**
     * Reads a number.
     *
     * @param context of the caller
     * @param index   bytes from the start
     * @return a signed number of 32 bits
     */
    @JRubyMethod(name = "get_int")
    public RubyInteger getInt(ThreadContext context, IRubyObject index) {
        return getInt(context, Convert.toLong(context, index));
    }

    /**
     * Writes a number at the position, and moves that by 8.
     *
     * @param context of the caller
     * @param value   a signed number of 64 bits
     * @return this
     */
    @JRubyMethod(name = "put_long")
    public IRubyObject putLong(ThreadContext context, IRubyObject value) {
        long number = Convert.toLong(context, value);
        long at = position;
        putLong(context, at, number);
        position = at + Long.BYTES;
        return this;
    }

    /**
     * Writes a number.
     *
     * @param context of the caller
     * @param value   a signed number of 64 bits
     * @param index   bytes from the start
     * @return this
     */
    @JRubyMethod(name = "put_long")
    public IRubyObject putLong(ThreadContext context, IRubyObject value, IRubyObject index) {
        putLong(context, Convert.toLong(context, index), Convert.toLong(context, value));
        return this;
    }

    /**
     * Reads a number at the position, and moves that by 8.
     *
     * @param context of the caller
     * @return a signed number of 64 bits
     */
    @JRubyMethod(name = "get_long")
    public RubyInteger getLong(ThreadContext context) {
        long at = position;
        RubyInteger value = getLong(context, at);
        position = at + Long.BYTES;
        return value;
    }

    /**
     * Reads a number.
     *
     * @param context of the caller
     * @param index   bytes from the start
     * @return a signed number of 64 bits
     */
    @JRubyMethod(name = "get_long")
    public RubyInteger getLong(ThreadContext context, IRubyObject index) {
        return getLong(context, Convert.toLong(context, index));
    }

    /**
     * Writes the bytes of a string at the position, and moves that behind them. They are copied once, from the string to the file.
     *
     * @param context of the caller
     * @param string  of any encoding
     * @return this
     */
    @JRubyMethod(name = "put_bytes")
    public IRubyObject putBytes(ThreadContext context, IRubyObject string) {
        ByteList bytes = string.convertToString().getByteList();
        return put(context, bytes.getUnsafeBytes(), bytes.getBegin(), bytes.getRealSize());
    }

    /**
     * Writes a part of a string, as {@code put_bytes(string)} does.
     *
     * @param context   of the caller
     * @param arguments the string, the first byte of it, and how many bytes: without that, all that follow
     * @return this
     */
    @JRubyMethod(name = "put_bytes", required = 1, optional = 2, checkArity = true)
    public IRubyObject putBytes(ThreadContext context, IRubyObject[] arguments) {
        ByteList bytes = arguments[0].convertToString().getByteList();
        int from = from(context, bytes, arguments);
        return put(context, bytes.getUnsafeBytes(), bytes.getBegin() + from, length(context, bytes, from, arguments));
    }

    /**
     * As {@code put_bytes}, from a private copy, which other threads cannot change meanwhile.
     *
     * @param context   of the caller
     * @param arguments the string, the first byte of it, and how many bytes: without these, all
     * @return this
     */
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

    /**
     * Reads bytes at the position, and moves that behind them.
     *
     * @param context of the caller
     * @param size    bytes
     * @return a binary string
     */
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

    /**
     * Reads the file into memory.
     *
     * @param context of the caller
     * @return this
     */
    @JRubyMethod
    public IRubyObject load(ThreadContext context) {
        FileMapping open = open(context);
        return MmapErrors.translate(context, () -> {
            open.load();
            return this;
        });
    }

    /**
     * Waits until everything that was written is on the device.
     *
     * @param context of the caller
     * @return this
     */
    @JRubyMethod
    public IRubyObject force(ThreadContext context) {
        FileMapping open = open(context);
        return MmapErrors.translate(context, () -> {
            open.force();
            return this;
        });
    }

    /**
     * Unmaps the file. Closing again is harmless.
     *
     * @param context of the caller
     * @return nil
     */
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

    /**
     * Whether it was closed.
     *
     * @param context of the caller
     * @return true or false
     */
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

    private void putInt(ThreadContext context, long at, int value) {
        FileMapping open = check(context, at, Integer.BYTES);
        try {
            open.putInt(at, value);
        } catch (RuntimeException | InternalError e) {
            throw MmapErrors.ruby(context, e);
        }
    }

    private RubyInteger getInt(ThreadContext context, long at) {
        FileMapping open = check(context, at, Integer.BYTES);
        try {
            return Convert.asFixnum(context, open.getInt(at));
        } catch (RuntimeException | InternalError e) {
            throw MmapErrors.ruby(context, e);
        }
    }

    private void putLong(ThreadContext context, long at, long value) {
        FileMapping open = check(context, at, Long.BYTES);
        try {
            open.putLong(at, value);
        } catch (RuntimeException | InternalError e) {
            throw MmapErrors.ruby(context, e);
        }
    }

    private RubyInteger getLong(ThreadContext context, long at) {
        FileMapping open = check(context, at, Long.BYTES);
        try {
            return Convert.asFixnum(context, open.getLong(at));
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
