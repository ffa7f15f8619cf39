/** A durable queue in memory-mapped files. */
module dev.outcrop.queue {
    requires dev.outcrop.memory;
    requires jdk.jfr;
    requires static org.jspecify;

    exports dev.outcrop.queue;
}
