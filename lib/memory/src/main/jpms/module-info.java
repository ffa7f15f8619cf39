/**
 * Native memory, native calls and the lifetimes that make both safe. For the modules of this project only: other modules would get native
 * access through NativeCalls without being granted any.
 */
module dev.outcrop.memory {
    requires jdk.jfr;
    requires static org.jspecify;

    exports dev.outcrop.memory to
            dev.outcrop.rocksdb.engine,
            dev.outcrop.rocksdb,
            dev.outcrop.micrometer,
            dev.outcrop.queue,
            dev.outcrop.pipeline,
            rocksdbjni;
}
