/** Native memory, native calls and the lifetimes that make both safe. */
module dev.outcrop.memory {
    requires jdk.jfr;
    requires static org.jspecify;

    exports dev.outcrop.memory;
}
