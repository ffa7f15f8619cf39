import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.bookkeeper.bookie.storage.ldb.KeyValueStorage;
import org.apache.bookkeeper.bookie.storage.ldb.KeyValueStorageFactory.DbConfigType;
import org.apache.bookkeeper.bookie.storage.ldb.KeyValueStorageRocksDB;
import org.apache.bookkeeper.conf.ServerConfiguration;

/** BookKeeper's storage of keys and values, with its three configurations. */
final class BookKeeperStore {

    private BookKeeperStore() {
    }

    static void run(Path directory) throws Exception {
        for (DbConfigType type : DbConfigType.values()) {
            run(directory, type.name(), type, new ServerConfiguration());
        }
    }

    /** Opens a database with the options that another one has stored. BookKeeper reads them with a method that RocksDB 11 removed. */
    static void runWithOptions(Path directory, Path other) throws Exception {
        ServerConfiguration configuration = new ServerConfiguration();
        try (Stream<Path> files = Files.list(other.resolve(DbConfigType.EntryLocation.name()))) {
            configuration.setEntryLocationRocksdbConf(files.map(Path::toString)
                    .filter(file -> file.contains("OPTIONS")).max(Comparator.naturalOrder()).orElseThrow());
        }
        run(directory, DbConfigType.EntryLocation.name(), DbConfigType.EntryLocation, configuration);
    }

    private static void run(Path directory, String name, DbConfigType type, ServerConfiguration configuration)
            throws Exception {
        boolean exists = Files.exists(directory.resolve(name));
        Files.createDirectories(directory);
        if (!exists) {
            try (KeyValueStorage storage = new KeyValueStorageRocksDB(directory.toString(), name, type,
                    configuration)) {
                fill(storage);
                tell(name + " filled", storage);
                storage.compact();
            }
        }
        try (KeyValueStorage storage = new KeyValueStorageRocksDB(directory.toString(), name, type, configuration)) {
            tell(name + " opened", storage);
        }
        try (KeyValueStorage storage = new KeyValueStorageRocksDB(directory.toString(), name, type, configuration,
                true)) {
            tell(name + " for reading", storage);
        }
    }

    private static void fill(KeyValueStorage storage) throws Exception {
        Random random = new Random(1);
        for (int i = 0; i < 3000; i++) {
            storage.put(key(random.nextInt(2000)), value(i));
        }
        storage.sync();
        for (int i = 0; i < 20; i++) {
            try (KeyValueStorage.Batch batch = storage.newBatch()) {
                for (int k = 0; k < 50; k++) {
                    batch.put(key(random.nextInt(2000)), value(i + k));
                    batch.remove(key(random.nextInt(2000)));
                }
                batch.deleteRange(key(i * 100), key(i * 100 + 10));
                batch.flush();
                batch.clear();
            }
        }
        for (int i = 0; i < 100; i++) {
            storage.delete(key(i * 3));
        }
        storage.compact(key(100), key(900));
    }

    private static void tell(String what, KeyValueStorage storage) throws Exception {
        StringBuilder all = new StringBuilder();
        byte[] place = new byte[200];
        try (var entries = storage.iterator()) {
            while (entries.hasNext()) {
                all.append(text(entries.next()));
            }
        }
        StoresProgram.tell(what + " " + storage.count() + " " + all.toString().hashCode());
        StringBuilder some = new StringBuilder();
        for (int i = 0; i < 2000; i += 97) {
            some.append(text(storage.getFloor(key(i)))).append(text(storage.getCeil(key(i))));
            byte[] value = storage.get(key(i));
            some.append(value == null ? "none" : new String(value)).append(storage.get(key(i), place)).append(' ');
        }
        try (var keys = storage.keys(key(150), key(160))) {
            while (keys.hasNext()) {
                some.append(ByteBuffer.wrap(keys.next()).getLong()).append(' ');
            }
        }
        StoresProgram.tell(some.toString());
    }

    private static String text(Map.Entry<byte[], byte[]> entry) {
        return entry == null
                ? "none "
                : ByteBuffer.wrap(entry.getKey()).getLong() + "=" + new String(entry.getValue()) + " ";
    }

    private static byte[] key(long number) {
        return ByteBuffer.allocate(8).putLong(number).array();
    }

    private static byte[] value(int number) {
        return ("value " + number).repeat(1 + number % 5).getBytes();
    }
}
