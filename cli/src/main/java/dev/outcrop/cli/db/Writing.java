package dev.outcrop.cli.db;

import dev.outcrop.rocksdb.WriteOptions;

/** How commands write. */
final class Writing {
    private Writing() {
    }

    /** On the disk when the command ends. Fails where RocksDB would wait for room on a full disk without end. */
    static WriteOptions durable() {
        return new WriteOptions().sync(true).noSlowdown(true);
    }
}
