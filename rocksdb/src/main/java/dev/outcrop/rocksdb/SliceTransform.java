package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.NativeDbOptions;
import dev.outcrop.rocksdb.engine.OptionValues;
import dev.outcrop.rocksdb.engine.callbacks.CallbackNames;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What the prefix of a key is, for filters, memtables and iterators that look only among keys with one prefix. Any number of options
 * may use one. Immutable.
 */
public final class SliceTransform {
    private final String description;
    private final LongSupplier create;
    private final int fixedLength;
    private final @Nullable PrefixExtractor inJava;

    /** Over what makes a native object for each taker, since the C API gives each away whole. */
    SliceTransform(String description, LongSupplier create) {
        this(description, create, 0, null);
    }

    private SliceTransform(String description, LongSupplier create, int fixedLength,
            @Nullable PrefixExtractor inJava) {
        this.inJava = inJava;
        this.description = description;
        this.create = create;
        this.fixedLength = fixedLength;
    }

    /**
     * The prefix is the first bytes of a key; shorter keys have none. Not for memtables by prefix, see {@link Options#prefixExtractor}.
     *
     * @param length in bytes
     * @return the transform
     * @throws IllegalArgumentException if {@code length} is less than 1
     */
    public static SliceTransform fixedPrefix(int length) {
        OptionValues.inRange("The length of a prefix", length, 1, Integer.MAX_VALUE);
        return new SliceTransform("fixed:" + length, () -> NativeDbOptions.newFixedPrefix(length),
                length, null);
    }

    /**
     * The prefix is the whole key.
     *
     * @return the transform
     */
    public static SliceTransform noop() {
        return new SliceTransform("rocksdb.Noop", CApi::rocksdb_slicetransform_create_noop);
    }

    /**
     * The prefix is what a Java object says.
     *
     * @param extractor the object; RocksDB may call it as long as there is a database or an options object that uses the transform
     * @return the transform
     * @throws IllegalArgumentException if RocksDB cannot take its name
     */
    public static SliceTransform of(PrefixExtractor extractor) {
        String name = CallbackNames.check("prefix extractor", extractor.name());
        return new SliceTransform(name, () -> PrefixCallbacks.create(extractor, name), 0, extractor);
    }

    /** What RocksDB calls; null if it is no Java object. */
    @Nullable
    PrefixExtractor inJava() {
        return inJava;
    }

    /** How long every prefix is in bytes, also of a shorter key for who asks nevertheless; 0 if that depends on the key. */
    int fixedLength() {
        return fixedLength;
    }

    /** Makes a native transform, for a taker that owns it. */
    long create() {
        Native.requireLibrary();
        return create.getAsLong();
    }

    /** The transform as an option string names it. */
    @Override
    public String toString() {
        return description;
    }
}
