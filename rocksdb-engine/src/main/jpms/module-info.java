/**
 * What every Java API over RocksDB needs, once. For the two APIs of this project only: a caller must hold the lifetimes of what it uses.
 */
module dev.outcrop.rocksdb.engine {
    requires dev.outcrop.memory;
    requires jdk.jfr;
    requires static org.jspecify;

    exports dev.outcrop.rocksdb.engine to
            dev.outcrop.rocksdb,
            rocksdbjni;
    exports dev.outcrop.rocksdb.engine.batch to
            dev.outcrop.rocksdb,
            rocksdbjni;
    exports dev.outcrop.rocksdb.engine.callbacks to
            dev.outcrop.rocksdb,
            rocksdbjni;
    exports dev.outcrop.rocksdb.engine.capi to
            dev.outcrop.rocksdb,
            rocksdbjni;
}
