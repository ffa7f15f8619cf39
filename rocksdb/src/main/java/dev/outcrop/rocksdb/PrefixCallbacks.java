package dev.outcrop.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Upcall;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import dev.outcrop.rocksdb.engine.callbacks.CallbackKind;
import dev.outcrop.rocksdb.engine.callbacks.Callbacks;
import dev.outcrop.rocksdb.engine.callbacks.RunningCallbacks;
import dev.outcrop.rocksdb.engine.capi.CApi;
import dev.outcrop.rocksdb.engine.capi.CCallbacks;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;

/** How RocksDB calls Java prefix extractors. A prefix is given to it as the key's own address and a length, so nothing is copied. */
final class PrefixCallbacks implements Upcall {
    private static final MemorySegment TRANSFORM = Callbacks.stub(MethodHandles.lookup(), "transform", "wholeKey",
            CCallbacks.ROCKSDB_SLICETRANSFORM_CREATE_TRANSFORM);
    private static final MemorySegment IN_DOMAIN = Callbacks.stub(MethodHandles.lookup(), "inDomain",
            CCallbacks.ROCKSDB_SLICETRANSFORM_CREATE_IN_DOMAIN);

    private PrefixCallbacks() {
    }

    /** Makes a {@code rocksdb_slicetransform_t *}, which its receiver owns. */
    static long create(PrefixExtractor extractor, String name) {
        return CApi.rocksdb_slicetransform_create(Callbacks.register(extractor, CallbackKind.PREFIX_EXTRACTOR, name),
                Callbacks.DESTRUCTOR, TRANSFORM, IN_DOMAIN, Callbacks.NAME);
    }

    static long transform(RunningCallbacks running, long id, long key, long length, long prefixLength) {
        long prefix = prefixLength(running, id, key, length);
        // Memtables by prefix and plain tables ask for keys without one as well, which then is the whole key.
        NativeCalls.writeLong(prefixLength, prefix < 0 ? length : prefix);
        return key;
    }

    static byte inDomain(RunningCallbacks running, long id, long key, long length) {
        return (byte) (prefixLength(running, id, key, length) >= 0 ? 1 : 0);
    }

    private static long prefixLength(RunningCallbacks running, long id, long key, long length) {
        try (Arena call = Arena.ofConfined()) {
            long prefix = ((PrefixExtractor) Callbacks.of(id).target).prefixLength(Callbacks.view(key, length, call));
            if (prefix > length) {
                throw new IllegalStateException("The prefix of a key of " + length + " bytes cannot have " + prefix);
            }
            return prefix;
        } catch (Throwable e) {
            CallbackFailures.add(running, id, e);
            return -1;
        }
    }
}
