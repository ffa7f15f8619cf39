/** RocksDB as a Java API. */
module dev.outcrop.rocksdb {
    requires dev.outcrop.memory;
    requires dev.outcrop.rocksdb.engine;
    requires jdk.jfr;
    requires static org.jspecify;

    exports dev.outcrop.rocksdb;
}
