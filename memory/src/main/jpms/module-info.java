/**
 * Native memory, native calls and the lifetimes that make both safe. For the modules of this project only: a module that could call
 * NativeCalls would have native access through this module, without having been given any.
 */
module dev.outcrop.memory {
    requires jdk.jfr;
    requires static org.jspecify;

    exports dev.outcrop.memory to
            dev.outcrop.rocksdb.engine,
            dev.outcrop.rocksdb,
            dev.outcrop.queue,
            dev.outcrop.pipeline,
            rocksdbjni;
}
