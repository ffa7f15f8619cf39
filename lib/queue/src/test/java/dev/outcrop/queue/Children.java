package dev.outcrop.queue;

import dev.outcrop.testsupport.ChildJvm;

/** JVMs for the programs of tests. */
final class Children {
    private Children() {
    }

    static ChildJvm withNativeAccess(boolean hasNativeAccess) {
        return hasNativeAccess ? ChildJvm.shortLived() : ChildJvm.bare().option("--illegal-native-access=deny");
    }

    static ChildJvm withOneCarrier() {
        return ChildJvm.withNativeAccess().option("-Djdk.virtualThreadScheduler.parallelism=1")
                .option("-Djdk.virtualThreadScheduler.maxPoolSize=1");
    }

    /** A JVM whose compiler does not run beside the program, so that it leaves the same garbage each time. */
    static ChildJvm forGarbage() {
        return ChildJvm.bare().option("--enable-native-access=ALL-UNNAMED").option("-Xbatch");
    }

    static ChildJvm withMemory(String heap) {
        return ChildJvm.bare().option("--enable-native-access=ALL-UNNAMED").option("-XX:+UseSerialGC")
                .option("-Xmx" + heap);
    }
}
