package dev.outcrop.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Upcall;
import dev.outcrop.rocksdb.engine.NativeDbOptions;
import dev.outcrop.rocksdb.engine.OptionValues;
import dev.outcrop.rocksdb.engine.callbacks.Callback;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import dev.outcrop.rocksdb.engine.callbacks.CallbackKind;
import dev.outcrop.rocksdb.engine.callbacks.Callbacks;
import dev.outcrop.rocksdb.engine.callbacks.RunningCallbacks;
import dev.outcrop.rocksdb.engine.capi.CApi;
import dev.outcrop.rocksdb.engine.capi.CCallbacks;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A prefix extractor: it defines the prefix of a key, for filters, memtables and iterators that look only among keys with one prefix. Any
 * number of options may use one. Immutable.
 */
public final class SliceTransform {
    private final String description;
    private final LongSupplier create;
    private final int fixedLength;
    private final @Nullable PrefixExtractor inJava;

    /** Keeps a maker of native objects, because the C API passes ownership of each to its receiver. */
    SliceTransform(String description, LongSupplier create) {
        this(description, create, 0, null);
    }

    private SliceTransform(String description, LongSupplier create, int fixedLength, @Nullable PrefixExtractor inJava) {
        this.inJava = inJava;
        this.description = description;
        this.create = create;
        this.fixedLength = fixedLength;
    }

    /**
     * Makes a prefix extractor for the first bytes of a key; shorter keys have no prefix. Not for memtables by prefix, see {@link
     * Options#prefixExtractor}.
     *
     * @param length in bytes
     * @return the transform
     * @throws IllegalArgumentException if {@code length} is less than 1
     */
    public static SliceTransform fixedPrefix(int length) {
        OptionValues.inRange("The length of a prefix", length, 1, Integer.MAX_VALUE);
        return new SliceTransform("fixed:" + length, () -> NativeDbOptions.newFixedPrefix(length), length, null);
    }

    /**
     * Makes a prefix extractor for which the prefix is the whole key.
     *
     * @return the transform
     */
    public static SliceTransform noop() {
        return new SliceTransform("rocksdb.Noop", CApi::rocksdb_slicetransform_create_noop);
    }

    /**
     * Makes a prefix extractor from a Java object, which defines the prefix.
     *
     * @param extractor the object; RocksDB may call it as long as there is a database or an options object that uses the transform
     * @return the transform
     * @throws IllegalArgumentException if RocksDB cannot take its name
     */
    public static SliceTransform of(PrefixExtractor extractor) {
        String name = Callback.requireName("prefix extractor", extractor.name());
        return new SliceTransform(name, () -> PrefixCallbacks.create(extractor, name), 0, extractor);
    }

    /** Returns the extractor in Java; null if it is native. */
    @Nullable
    PrefixExtractor inJava() {
        return inJava;
    }

    /**
     * Returns the fixed length of prefixes in bytes, which RocksDB also takes of shorter keys if asked; 0 if the length depends on the key.
     */
    int fixedLength() {
        return fixedLength;
    }

    /** Makes a native transform, for a taker that owns it. */
    long create() {
        ApiCall.requireLibrary();
        return create.getAsLong();
    }

    /** The transform as an option string names it. */
    @Override
    public String toString() {
        return description;
    }

    /** Calls Java prefix extractors for RocksDB. A prefix is returned as the key's own address and a length, so nothing is copied. */
    @SuppressWarnings("UnusedMethod") // RocksDB calls them
    private static final class PrefixCallbacks implements Upcall {
        private static final MemorySegment TRANSFORM = Callbacks.stub(MethodHandles.lookup(), "transform", "wholeKey",
                CCallbacks.ROCKSDB_SLICETRANSFORM_CREATE_TRANSFORM);
        private static final MemorySegment IN_DOMAIN = Callbacks.stub(MethodHandles.lookup(), "inDomain",
                CCallbacks.ROCKSDB_SLICETRANSFORM_CREATE_IN_DOMAIN);

        private PrefixCallbacks() {
        }

        /** Makes a {@code rocksdb_slicetransform_t *}, which its receiver owns. */
        static long create(PrefixExtractor extractor, String name) {
            return CApi.rocksdb_slicetransform_create(
                    Callbacks.register(extractor, CallbackKind.PREFIX_EXTRACTOR, name),
                    Callbacks.DESTRUCTOR, TRANSFORM, IN_DOMAIN, Callbacks.NAME);
        }

        static long transform(RunningCallbacks running, long id, long key, long length, long prefixLength) {
            long prefix = prefixLength(running, id, key, length);
            // Memtables by prefix and plain tables also ask for the prefix of keys without one; it is the whole key then.
            NativeCalls.writeLong(prefixLength, prefix < 0 ? length : prefix);
            return key;
        }

        static byte inDomain(RunningCallbacks running, long id, long key, long length) {
            return (byte) (prefixLength(running, id, key, length) >= 0 ? 1 : 0);
        }

        private static long prefixLength(RunningCallbacks running, long id, long key, long length) {
            try (Arena call = Arena.ofConfined()) {
                long prefix = ((PrefixExtractor) Callbacks.of(id).target)
                        .prefixLength(Callbacks.view(key, length, call));
                if (prefix > length) {
                    throw new IllegalStateException(
                            "The prefix of a key of " + length + " bytes cannot have " + prefix);
                }
                return prefix;
            } catch (Throwable e) {
                CallbackFailures.add(running, id, e);
                return -1;
            }
        }
    }
}
