package dev.outcrop.memory;

/** Whether this module may use the restricted methods of {@code java.lang.foreign}, asked once. */
final class NativeAccess {
    private static final boolean ENABLED = NativeAccess.class.getModule().isNativeAccessEnabled() || warnsOnly();

    private NativeAccess() {
    }

    /** Throws with the exact flag to set when native access is denied; costs nothing once compiled. */
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

    /** By default the JDK warns once and allows; only with --illegal-native-access=deny does the first use throw. */
    @SuppressWarnings("restricted") // to find out whether it may be
    private static boolean warnsOnly() {
        try {
            java.lang.foreign.MemorySegment.NULL.reinterpret(1);
            return true;
        } catch (IllegalCallerException e) {
            return false;
        }
    }
}
