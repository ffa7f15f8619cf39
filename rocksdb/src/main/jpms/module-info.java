/** RocksDB through its C API. */
module dev.outcrop.rocksdb {
    requires dev.outcrop.memory;
    requires jdk.jfr;
    requires static org.jspecify;

    exports dev.outcrop.rocksdb;
    exports dev.outcrop.rocksdb.capi to rocksdbjni;
    exports dev.outcrop.rocksdb.internal to rocksdbjni;
}
