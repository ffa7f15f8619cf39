package dev.outcrop.benchmarks.queue;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

/** Writes the changes of this process to the disk. */
final class Disk {
    private static final MethodHandle SYNC = link();

    private Disk() {
    }

    @SuppressWarnings("restricted") // a program of its own, which is started with native access
    private static MethodHandle link() {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow("sync"), FunctionDescriptor.ofVoid());
    }

    /** Waits until all changes in files are written. */
    static void sync() {
        try {
            SYNC.invokeExact();
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("A native call has thrown", e);
        }
    }
}
