/** Records of a durable queue into a RocksDB database, the effect of each exactly once. */
module dev.outcrop.pipeline {
    requires transitive dev.outcrop.queue;
    requires transitive dev.outcrop.rocksdb;
    requires dev.outcrop.memory;
    requires jdk.jfr;
    requires static org.jspecify;

    exports dev.outcrop.pipeline;
}
