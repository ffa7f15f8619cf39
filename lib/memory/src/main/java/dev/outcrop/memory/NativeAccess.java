package dev.outcrop.memory;

/** Knows whether this module may call the restricted methods of {@code java.lang.foreign}. */
final class NativeAccess {
    private static final boolean ENABLED = NativeAccess.class.getModule().isNativeAccessEnabled() || warnsOnly();

    private NativeAccess() {
    }

    /** Throws, with the exact flag to set, if native access is denied; costs nothing once compiled. */
    static void require() {
        if (!ENABLED) {
            throw new IllegalStateException(message());
        }
    }

    static boolean isEnabled() {
        return ENABLED;
    }

    static String message() {
        Module module = NativeAccess.class.getModule();
        String name = module.isNamed() ? module.getName() : "ALL-UNNAMED";
        return "Outcrop calls native code, and this JVM denies it. Start java with --enable-native-access=" + name
                + " (or put 'Enable-Native-Access: ALL-UNNAMED' into the manifest of the jar that is started with -jar).";
    }

    /** Returns whether the JDK only warns, which is the default. With --illegal-native-access=deny the first use throws. */
    @SuppressWarnings("restricted") // finds out whether it is allowed
    private static boolean warnsOnly() {
        try {
            java.lang.foreign.MemorySegment.NULL.reinterpret(1);
            return true;
        } catch (IllegalCallerException e) {
            return false;
        }
    }
}
