/** RocksDB's numbers as Micrometer's meters. */
module dev.outcrop.micrometer {
    requires transitive dev.outcrop.rocksdb;
    requires transitive micrometer.core;
    requires static org.jspecify;

    exports dev.outcrop.micrometer;
}
