package dev.outcrop.jruby.queue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jcodings.Encoding;
import org.jcodings.specific.ASCIIEncoding;
import org.jcodings.specific.USASCIIEncoding;
import org.jcodings.specific.UTF8Encoding;
import org.jruby.RubyString;
import org.jruby.api.Access;
import org.jruby.exceptions.RaiseException;
import org.jruby.runtime.ThreadContext;
import org.jruby.util.ByteList;

/**
 * A Ruby string as a record: its bytes, and then its encoding. The encoding is one byte: 0 for UTF-8, 1 for binary, 2 for US-ASCII. For any
 * other encoding, it is the name of the encoding, the length of the name in one byte, and the byte 255.
 */
final class StringRecord {
    private static final byte UTF_8 = 0;
    private static final byte BINARY = 1;
    private static final byte US_ASCII = 2;
    private static final byte NAMED = (byte) 255;

    private static final MemorySegment UTF_8_END = end(UTF_8);
    private static final MemorySegment BINARY_END = end(BINARY);
    private static final MemorySegment US_ASCII_END = end(US_ASCII);

    private static MemorySegment end(byte... bytes) {
        return MemorySegment.ofArray(bytes).asReadOnly();
    }

    private StringRecord() {
    }

    // --- Writing ---

    /** Returns the string's own bytes, not a copy. If other threads change them meanwhile, the record is a mixture. */
    static MemorySegment bytes(RubyString string) {
        ByteList list = string.getByteList();
        return MemorySegment.ofArray(list.unsafeBytes()).asSlice(list.begin(), list.realSize());
    }

    /** Returns the encoding that follows the bytes. */
    static MemorySegment end(RubyString string) {
        Encoding encoding = string.getEncoding();
        if (UTF8Encoding.INSTANCE.equals(encoding)) {
            return UTF_8_END;
        }
        if (ASCIIEncoding.INSTANCE.equals(encoding)) {
            return BINARY_END;
        }
        return USASCIIEncoding.INSTANCE.equals(encoding) ? US_ASCII_END : named(encoding.getName());
    }

    private static MemorySegment named(byte[] name) {
        byte[] end = Arrays.copyOf(name, name.length + 2);
        end[name.length] = (byte) name.length;
        end[name.length + 1] = NAMED;
        return end(end);
    }

    // --- Reading ---

    /** Returns the bytes of a record. */
    static byte[] read(MemorySegment from) {
        // toArray knows the length, so the new array is not zeroed before it is filled.
        return from.toArray(ValueLayout.JAVA_BYTE);
    }

    /** Returns the string of a record. The string keeps the array. */
    static RubyString string(ThreadContext context, byte[] record) {
        int length = record.length - 1;
        Encoding encoding = length < 0 ? null : switch (record[length]) {
            case UTF_8 -> UTF8Encoding.INSTANCE;
            case BINARY -> ASCIIEncoding.INSTANCE;
            case US_ASCII -> USASCIIEncoding.INSTANCE;
            default -> null;
        };
        if (encoding != null) {
            return string(context, record, length, encoding);
        }
        if (length > 0 && record[length] == NAMED) {
            int start = length - 1 - (record[length - 1] & 0xFF);
            if (start >= 0) {
                return string(context, record, start, named(context, Arrays.copyOfRange(record, start, length - 1)));
            }
        }
        throw unknown(context,
                "A record of " + record.length + " bytes does not end as Outcrop::Queue ends its own: it was not"
                        + " pushed by one. Read this queue with the library that has written it");
    }

    private static RubyString string(ThreadContext context, byte[] record, int length, Encoding encoding) {
        return RubyString.newStringNoCopy(context.runtime, record, 0, length, encoding);
    }

    private static Encoding named(ThreadContext context, byte[] name) {
        Encoding encoding = Access.encodingService(context).loadEncoding(new ByteList(name, false));
        if (encoding == null) {
            throw unknown(context, "A string of this queue has the encoding "
                    + new String(name, StandardCharsets.US_ASCII) + ", which this Ruby does not have");
        }
        return encoding;
    }

    private static RaiseException unknown(ThreadContext context, String message) {
        return QueueErrors.error(context, "Error", message);
    }
}
