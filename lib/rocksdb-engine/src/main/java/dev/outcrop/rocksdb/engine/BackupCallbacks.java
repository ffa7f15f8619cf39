package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Upcall;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import dev.outcrop.rocksdb.engine.callbacks.CallbackKind;
import dev.outcrop.rocksdb.engine.callbacks.Callbacks;
import dev.outcrop.rocksdb.engine.callbacks.RunningCallbacks;
import dev.outcrop.rocksdb.engine.capi.CCallbacks;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * The callbacks of backups. RocksDB does not tell when it no longer needs a callback. The caller that passes the number of this object to
 * RocksDB keeps the object reachable until no native code uses it.
 */
public final class BackupCallbacks implements Upcall {
    public static final MemorySegment PROGRESS = Callbacks.stub(MethodHandles.lookup(), "progress",
            CCallbacks.ROCKSDB_CREATE_BACKUP_OPTIONS_PROGRESS_CB);
    public static final MemorySegment EXCLUDE = Callbacks.stub(MethodHandles.lookup(), "exclude",
            CCallbacks.ROCKSDB_CREATE_BACKUP_OPTIONS_EXCLUDE_FILES_CB);

    private final NativeObject registered;

    private BackupCallbacks(Object target, Object owner, CallbackKind kind) {
        this.registered = new NativeObject(this, Callbacks.register(target, owner, kind, ""), Callbacks::remove);
    }

    public static BackupCallbacks progress(Runnable progress) {
        return new BackupCallbacks(Objects.requireNonNull(progress, "progress"), progress,
                CallbackKind.BACKUP_PROGRESS);
    }

    public static BackupCallbacks exclude(Predicate<String> exclude) {
        return new BackupCallbacks(new Exclusion(Objects.requireNonNull(exclude, "exclude")), exclude,
                CallbackKind.BACKUP_EXCLUSION);
    }

    /** The {@code void *state}. */
    public long id() {
        return registered.address();
    }

    /** Wraps the predicate, because a cast could not check its type arguments. */
    private record Exclusion(Predicate<String> predicate) {
    }

    public static void progress(RunningCallbacks running, long id) {
        try {
            ((Runnable) Callbacks.of(id).target).run();
        } catch (Throwable e) {
            CallbackFailures.add(running, id, e);
        }
    }

    public static byte exclude(RunningCallbacks running, long id, long file, long length) {
        try {
            String name = new String(NativeCalls.view(file, length).toArray(ValueLayout.JAVA_BYTE),
                    StandardCharsets.UTF_8);
            return (byte) (((Exclusion) Callbacks.of(id).target).predicate.test(name) ? 1 : 0);
        } catch (Throwable e) {
            CallbackFailures.add(running, id, e);
            return 0;
        }
    }
}
