import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.rocketmq.common.config.ConfigRocksDBStorage;
import org.apache.rocketmq.store.config.MessageStoreConfig;
import org.apache.rocketmq.store.rocksdb.MessageRocksDBStorage;
import org.rocksdb.WriteBatch;

/** RocketMQ's storages: of its configuration, in column families that it makes as needed, and of indexes of messages. */
final class RocketMqStore {

    private RocketMqStore() {
    }

    static void run(Path directory) throws Exception {
        boolean exists = Files.exists(directory);
        Files.createDirectories(directory);
        if (!exists) {
            ConfigRocksDBStorage storage = open(directory.resolve("config"));
            fill(storage);
            tell("filled", storage);
            storage.shutdown();
        }
        ConfigRocksDBStorage storage = open(directory.resolve("config"));
        tell("opened", storage);
        StoresProgram.tell("statistics " + (storage.getStatistics() != null) + ", level of the first file "
                + storage.getCompactionStatus().stream().map(file -> file.level() + " " + file.numEntries()).sorted()
                        .findFirst());
        storage.shutdown();
        messages(directory.resolve("messages"));
    }

    private static ConfigRocksDBStorage open(Path directory) {
        ConfigRocksDBStorage storage = new ConfigRocksDBStorage(directory.toString(), false);
        if (!storage.start()) {
            throw new IllegalStateException("The storage cannot be opened");
        }
        return storage;
    }

    private static void fill(ConfigRocksDBStorage storage) throws Exception {
        for (int i = 0; i < 1000; i++) {
            byte[] key = key(i * 7 % 501);
            storage.put("topics", key, key.length, ("topic " + i).getBytes());
            if (i % 5 == 0) {
                storage.delete("topics", key(i));
            }
        }
        ByteBuffer key = ByteBuffer.allocateDirect(100);
        ByteBuffer value = ByteBuffer.allocateDirect(100);
        for (int i = 0; i < 300; i++) {
            key.clear().put(key(i)).flip();
            value.clear().put(("group " + i).getBytes()).flip();
            storage.put("groups", key, value);
        }
        try (WriteBatch batch = new WriteBatch()) {
            for (int i = 0; i < 300; i++) {
                storage.writeBatchPutOperation("offsets", batch, key(i), ("offset " + i).getBytes());
            }
            storage.batchPutWithWal(batch);
        }
        storage.flushWAL();
    }

    private static void tell(String what, ConfigRocksDBStorage storage) throws Exception {
        for (String family : new String[]{"topics", "groups", "offsets", "default"}) {
            StringBuilder all = new StringBuilder();
            int[] count = new int[1];
            storage.iterate(family, (key, value) -> {
                all.append(new String(key)).append('=').append(new String(value)).append(' ');
                count[0]++;
            });
            byte[] one = storage.get(family, key(44));
            StoresProgram.tell(what + " " + family + " " + count[0] + " " + all.toString().hashCode() + " "
                    + (one == null ? "none" : new String(one)));
        }
    }

    private static void messages(Path directory) throws Exception {
        MessageStoreConfig configuration = new MessageStoreConfig();
        configuration.setStorePathRootDir(directory.toString());
        for (int start = 0; start < 2; start++) {
            MessageRocksDBStorage storage = new MessageRocksDBStorage(configuration);
            for (int i = 0; i < 50; i++) {
                storage.writeCheckPointForTimer(MessageRocksDBStorage.TIMER_COLUMN_FAMILY,
                        MessageRocksDBStorage.TIMELINE_CHECK_POINT, 1000L * start + i);
            }
            StoresProgram.tell("check point " + storage.getCheckpointForTimer(
                    MessageRocksDBStorage.TIMER_COLUMN_FAMILY, MessageRocksDBStorage.TIMELINE_CHECK_POINT) + " "
                    + storage.getLastOffsetPy("default".getBytes()) + " "
                    + storage.scanRecordsForTimer(MessageRocksDBStorage.TIMER_COLUMN_FAMILY, 0, Long.MAX_VALUE, 10, null)
                    + " " + storage.scanRecordsForTrans(MessageRocksDBStorage.TRANS_COLUMN_FAMILY, 10, null));
            storage.shutdown();
        }
    }

    private static byte[] key(int number) {
        return String.format("key-%05d", number).getBytes();
    }
}
