/** The engine under the two APIs over RocksDB, for them only: callers hold the lifetimes of the objects that they use. */
module dev.outcrop.rocksdb.engine {
    requires dev.outcrop.memory;
    requires java.management;
    requires jdk.jfr;
    requires static org.jspecify;

    exports dev.outcrop.rocksdb.engine to
            dev.outcrop.micrometer,
            dev.outcrop.rocksdb,
            java.management,
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
