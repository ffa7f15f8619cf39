package dev.outcrop.jruby.queue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import org.jcodings.Encoding;
import org.jcodings.specific.ASCIIEncoding;
import org.jcodings.specific.USASCIIEncoding;
import org.jcodings.specific.UTF8Encoding;
import org.jruby.RubyArray;
import org.jruby.RubyBignum;
import org.jruby.RubyBoolean;
import org.jruby.RubyFixnum;
import org.jruby.RubyFloat;
import org.jruby.RubyHash;
import org.jruby.RubyModule;
import org.jruby.RubyString;
import org.jruby.RubySymbol;
import org.jruby.anno.JRubyMethod;
import org.jruby.anno.JRubyModule;
import org.jruby.api.Convert;
import org.jruby.api.Create;
import org.jruby.api.Error;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.ByteList;
import org.msgpack.core.ExtensionTypeHeader;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessagePackException;
import org.msgpack.core.MessagePacker;
import org.msgpack.core.MessageUnpacker;

/**
 * {@code Outcrop::Serializers::MessagePack}. Types of Ruby that <a
 * href="https://github.com/msgpack/msgpack/blob/master/spec.md">MessagePack</a> does not have are extensions: 0 is a symbol, as the gem
 * msgpack writes it by convention; 1 is an integer of more than 64 bits, in two's complement, big-endian.
 */
@JRubyModule(name = "Outcrop::Serializers::MessagePack")
public final class MessagePackSerializer {
    private static final byte SYMBOL = 0;
    private static final byte INTEGER = 1;
    private static final int LONG_BITS = 64;
    private static final int DEEPEST = 512;

    static {
        // Otherwise the library would use sun.misc.Unsafe, and the JDK would print a warning.
        if (System.getProperty("msgpack.universal-buffer") == null) {
            System.setProperty("msgpack.universal-buffer", "true");
        }
    }

    private MessagePackSerializer() {
    }

    static void define(ThreadContext context, RubyModule outcrop) {
        outcrop.defineModuleUnder(context, "Serializers").defineModuleUnder(context, "MessagePack")
                .defineMethods(context, MessagePackSerializer.class);
    }

    // --- Writing ---

    /** {@code serialize(object)}: makes a binary string of nil, true, false, numbers, strings, symbols, and arrays and hashes of these. */
    @JRubyMethod(meta = true)
    public static IRubyObject serialize(ThreadContext context, IRubyObject self, IRubyObject object) {
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            pack(context, packer, object, 0);
            return Create.newString(context, new ByteList(packer.toByteArray(), ASCIIEncoding.INSTANCE, false));
        } catch (IOException e) {
            // Cannot happen, because the packer writes to memory.
            throw new UncheckedIOException(e);
        }
    }

    private static void pack(ThreadContext context, MessagePacker packer, IRubyObject object, int depth)
            throws IOException {
        switch (object) {
            case RubyString string -> packString(context, packer, string);
            case RubyFixnum number -> packer.packLong(number.getValue());
            case RubyFloat number -> packer.packDouble(number.getValue());
            case RubyBignum number -> packBignum(context, packer, number);
            case RubySymbol symbol ->
                packExtension(packer, SYMBOL, utf8(context, (RubyString) symbol.to_s(context)).bytes());
            case RubyHash hash -> packHash(context, packer, hash, deeper(context, depth));
            case RubyArray<?> array -> packArray(context, packer, array, deeper(context, depth));
            case RubyBoolean truth -> packer.packBoolean(truth.isTrue());
            default -> {
                if (!object.isNil()) {
                    throw Error.typeError(context, "MessagePack has no form for objects of class "
                            + object.getMetaClass().getRealClass().getName(context)
                            + "; make hashes, arrays, strings and numbers of them, or open the queue with serializer:"
                            + " :marshal");
                }
                packer.packNil();
            }
        }
    }

    private static int deeper(ThreadContext context, int depth) {
        if (depth == DEEPEST) {
            throw Error.argumentError(context, "Arrays and hashes are nested more than " + DEEPEST
                    + " deep, or contain themselves");
        }
        return depth + 1;
    }

    private static void packString(ThreadContext context, MessagePacker packer, RubyString string) throws IOException {
        Encoding encoding = string.getEncoding();
        ByteList bytes = utf8(context, string);
        if (ASCIIEncoding.INSTANCE.equals(encoding)) {
            packer.packBinaryHeader(bytes.realSize());
        } else {
            packer.packRawStringHeader(bytes.realSize());
        }
        packer.writePayload(bytes.unsafeBytes(), bytes.begin(), bytes.realSize());
    }

    /** Returns the bytes of a string in UTF-8, or the unchanged bytes of a binary string. */
    private static ByteList utf8(ThreadContext context, RubyString string) {
        Encoding encoding = string.getEncoding();
        boolean isAsItIs = UTF8Encoding.INSTANCE.equals(encoding) || USASCIIEncoding.INSTANCE.equals(encoding)
                || ASCIIEncoding.INSTANCE.equals(encoding);
        RubyString utf8 = isAsItIs ? string : (RubyString) string.encode(context, Create.newString(context, "UTF-8"));
        return utf8.getByteList();
    }

    private static void packBignum(ThreadContext context, MessagePacker packer, RubyBignum number) throws IOException {
        BigInteger value = number.asBigInteger(context);
        if (value.signum() > 0 && value.bitLength() <= LONG_BITS) {
            packer.packBigInteger(value);
        } else {
            packExtension(packer, INTEGER, value.toByteArray());
        }
    }

    private static void packExtension(MessagePacker packer, byte type, byte[] payload) throws IOException {
        packer.packExtensionTypeHeader(type, payload.length);
        packer.writePayload(payload);
    }

    private static void packArray(ThreadContext context, MessagePacker packer, RubyArray<?> array, int depth)
            throws IOException {
        int length = array.getLength();
        packer.packArrayHeader(length);
        for (int i = 0; i < length; i++) {
            pack(context, packer, array.entry(i), depth);
        }
    }

    private static void packHash(ThreadContext context, MessagePacker packer, RubyHash hash, int depth)
            throws IOException {
        packer.packMapHeader(hash.size());
        hash.visitAll(context, (there, _, key, value, _) -> {
            try {
                pack(there, packer, key, depth);
                pack(there, packer, value, depth);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    // --- Reading ---

    /** {@code deserialize(string)}: restores the object, even from a string that another library has written. */
    @JRubyMethod(meta = true)
    public static IRubyObject deserialize(ThreadContext context, IRubyObject self, IRubyObject string) {
        ByteList bytes = Convert.castAsString(context, string).getByteList();
        try (MessageUnpacker unpacker = MessagePack.newDefaultUnpacker(bytes.unsafeBytes(), bytes.begin(),
                bytes.realSize())) {
            IRubyObject object = unpack(context, unpacker, 0);
            if (unpacker.hasNext()) {
                throw damaged(context, "there are bytes behind its end");
            }
            return object;
        } catch (IOException | MessagePackException e) {
            throw damaged(context, String.valueOf(e.getMessage()));
        }
    }

    private static RuntimeException damaged(ThreadContext context, String what) {
        return QueueErrors.error(context, "Error", "This item is no MessagePack: " + what);
    }

    private static IRubyObject unpack(ThreadContext context, MessageUnpacker unpacker, int depth) throws IOException {
        return switch (unpacker.getNextFormat().getValueType()) {
            case NIL -> {
                unpacker.unpackNil();
                yield context.nil;
            }
            case BOOLEAN -> Convert.asBoolean(context, unpacker.unpackBoolean());
            case INTEGER -> RubyBignum.bignorm(context.runtime, unpacker.unpackBigInteger());
            case FLOAT -> Convert.asFloat(context, unpacker.unpackDouble());
            case STRING -> string(context, unpacker.readPayload(unpacker.unpackRawStringHeader()),
                    UTF8Encoding.INSTANCE);
            case BINARY -> string(context, unpacker.readPayload(unpacker.unpackBinaryHeader()),
                    ASCIIEncoding.INSTANCE);
            case ARRAY -> unpackArray(context, unpacker, deeper(context, depth));
            case MAP -> unpackHash(context, unpacker, deeper(context, depth));
            case EXTENSION -> unpackExtension(context, unpacker);
        };
    }

    private static IRubyObject string(ThreadContext context, byte[] bytes, Encoding encoding) {
        return Create.newString(context, new ByteList(bytes, encoding, false));
    }

    private static IRubyObject unpackArray(ThreadContext context, MessageUnpacker unpacker, int depth)
            throws IOException {
        RubyArray<?> array = Create.newArray(context);
        for (int left = unpacker.unpackArrayHeader(); left > 0; left--) {
            RubyArray<?> _ = array.append(context, unpack(context, unpacker, depth));
        }
        return array;
    }

    private static IRubyObject unpackHash(ThreadContext context, MessageUnpacker unpacker, int depth)
            throws IOException {
        RubyHash hash = Create.newHash(context);
        for (int left = unpacker.unpackMapHeader(); left > 0; left--) {
            IRubyObject key = unpack(context, unpacker, depth);
            IRubyObject _ = hash.op_aset(context, key, unpack(context, unpacker, depth));
        }
        return hash;
    }

    private static IRubyObject unpackExtension(ThreadContext context, MessageUnpacker unpacker) throws IOException {
        ExtensionTypeHeader header = unpacker.unpackExtensionTypeHeader();
        byte[] payload = unpacker.readPayload(header.getLength());
        return switch (header.getType()) {
            case SYMBOL -> Convert.asSymbol(context, new ByteList(payload, UTF8Encoding.INSTANCE, false));
            case INTEGER -> RubyBignum.bignorm(context.runtime, new BigInteger(payload));
            default -> throw damaged(context, "it has an extension of type " + header.getType()
                    + ", which is unknown here; open the queue with a serializer of your own");
        };
    }
}
