/** The numbers of RocksDB and of the queue as Micrometer's meters; of these two, whichever there is. */
module dev.outcrop.micrometer {
    requires static transitive dev.outcrop.queue;
    requires static transitive dev.outcrop.rocksdb;
    requires transitive micrometer.core;
    requires static org.jspecify;

    exports dev.outcrop.micrometer;
}
