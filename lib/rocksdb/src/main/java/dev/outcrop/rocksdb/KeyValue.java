package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.callbacks.KeyText;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A copy of an entry on the heap. Two entries are equal if their bytes are equal. */
public final class KeyValue {
    private final byte[] key;
    private final byte[] value;

    KeyValue(byte[] key, byte[] value) {
        this.key = key;
        this.value = value;
    }

    /**
     * Returns the key.
     *
     * @return its bytes, always the same array
     */
    public byte[] key() {
        return key;
    }

    /**
     * Returns the value.
     *
     * @return its bytes, always the same array
     */
    public byte[] value() {
        return value;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof KeyValue entry && Arrays.equals(key, entry.key) && Arrays.equals(value, entry.value);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(key) + Arrays.hashCode(value);
    }

    /** Key and value, for messages: as text if they are printable ASCII, otherwise in hexadecimal digits; long ones are cut. */
    @Override
    public String toString() {
        return KeyText.of(key) + " = " + KeyText.of(value);
    }
}
