/** The numbers of RocksDB, of the queue and of pipelines as Micrometer's meters; of these, whichever there is. */
module dev.outcrop.micrometer {
    requires static transitive dev.outcrop.pipeline;
    requires static transitive dev.outcrop.queue;
    requires static transitive dev.outcrop.rocksdb;
    requires static dev.outcrop.rocksdb.engine;
    requires dev.outcrop.memory;
    requires transitive micrometer.core;
    requires static org.jspecify;

    exports dev.outcrop.micrometer;
}
