package dev.outcrop.rocksdbjni;

import dev.outcrop.memory.LeakDetector;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;
import org.rocksdb.FlushOptions;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.WriteBatch;

/** Forgets to close objects, closes others, and prints what the bean of native objects shows. */
final class LeaksProgram {

    private LeaksProgram() {
    }

    static void main(String[] arguments) throws Exception {
        try (Options options = new Options().setCreateIfMissing(true);
                RocksDB db = RocksDB.open(options, Path.of(arguments[0], "db").toString());
                FlushOptions flush = new FlushOptions()) {
            List<RocksIterator> iterators = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                db.put(new byte[]{1}, new byte[100_000]);
                iterators.add(keptIterator(db));
                db.flush(flush);
            }
            forget();
            closeAll(db);
            show();
            iterators.forEach(RocksIterator::close);
        }
        System.out.println("open at last " + counts("Open"));
    }

    private static RocksIterator keptIterator(RocksDB db) {
        RocksIterator iterator = db.newIterator();
        iterator.seekToFirst();
        return iterator;
    }

    private static void forget() {
        for (int i = 0; i < 3; i++) {
            new ReadOptions().setReadaheadSize(i);
            System.out.println(new Slice("forgotten").size());
        }
    }

    private static void closeAll(RocksDB db) throws Exception {
        for (int i = 0; i < 100; i++) {
            new ReadOptions().close();
            new Slice("closed").close();
            new LRUCache(1000).close();
            db.newIterator().close();
            db.releaseSnapshot(db.getSnapshot());
            // It has no memory but that of Java.
            new WriteBatch().put(new byte[]{1}, new byte[]{2});
        }
    }

    private static void show() throws Exception {
        if (counts("Open").isEmpty()) {
            System.out.println("open []");
            showMemory();
            return;
        }
        long deadline = System.nanoTime() + 60_000_000_000L;
        while (LeakDetector.leaked() < 6 && System.nanoTime() < deadline) {
            System.gc();
            Thread.sleep(10);
        }
        System.out.println("open " + counts("Open"));
        System.out.println("leaked " + counts("Leaked"));
        CompositeData place = ((CompositeData[]) bean("Places"))[0];
        System.out.println("place " + place.get("open") + " " + place.get("type"));
        System.out.println("made at " + String.valueOf(place.get("stack")).lines()
                .filter(line -> line.contains("LeaksProgram")).findFirst().orElse(""));
        showMemory();
        System.out.println(bean("Report"));
    }

    private static void showMemory() throws Exception {
        CompositeData[] memory = (CompositeData[]) bean("Memory");
        System.out.println("databases " + memory.length + " pinned "
                + ((Long) memory[0].get("memTablesPinned") >= 400_000) + " tables "
                + ((Long) memory[0].get("tableReaders") >= 0) + " " + memory[0].get("database"));
    }

    private static Object bean(String attribute) throws Exception {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        return server.getAttribute(new ObjectName("dev.outcrop:type=NativeObjects"), attribute);
    }

    private static List<String> counts(String attribute) throws Exception {
        return ((TabularData) bean(attribute)).values().stream().map(CompositeData.class::cast)
                .map(row -> row.get("key") + "=" + row.get("value")).sorted().toList();
    }
}
