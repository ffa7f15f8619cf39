package dev.outcrop.rocksdbjni;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.rocksdb.ByteBufferGetStatus;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DirectSlice;
import org.rocksdb.FlushOptions;
import org.rocksdb.Holder;
import org.rocksdb.KeyMayExist;
import org.rocksdb.Options;
import org.rocksdb.Range;
import org.rocksdb.ReadOptions;
import org.rocksdb.ReadTier;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.SizeApproximationFlag;
import org.rocksdb.Slice;
import org.rocksdb.Snapshot;

/** Reads a database in all ways. */
final class ReadsReport {

    private interface Probe {
        Object run() throws Exception;
    }

    private final Map<String, String> lines = new TreeMap<>();
    private final String path;

    private ReadsReport(Path directory) {
        path = directory.toString();
    }

    static Map<String, String> report(Path directory) throws RocksDBException {
        RocksDB.loadLibrary();
        ReadsReport report = new ReadsReport(directory);
        report.slices();
        report.directSlices();
        report.bounds();
        try (Options options = new Options().setCreateIfMissing(true);
                RocksDB db = RocksDB.open(options, report.path)) {
            ColumnFamilyHandle other = db.createColumnFamily(new ColumnFamilyDescriptor(b("other")));
            for (int i = 0; i < 10; i++) {
                db.put(b("key" + i), b("value-" + i));
                db.put(other, b("key" + i), b("other-" + i));
            }
            db.put(b("big"), new byte[5000]);
            db.put(b("empty"), b(""));
            report.gets(db, other);
            report.keysThatMayExist(db, other);
            report.multiGets(db, other);
            report.multiGetsIntoBuffers(db, other);
            report.iterators(db, other);
            report.ranges(db);
            report.snapshots(db);
            report.properties(db, other);
            report.notInMemory(db, other);
        }
        return report.lines;
    }

    private void slices() {
        Slice slice = new Slice("some text");
        line("slice text", slice::toString);
        line("slice hex", () -> slice.toString(true));
        line("slice size", slice::size);
        line("slice empty", slice::empty);
        line("slice empty of none", () -> new Slice("").empty());
        line("slice data", slice::data);
        line("slice hash", slice::hashCode);
        line("slice owned", () -> owned(slice));
        line("slice of unicode", () -> new Slice("grün€").data());
        line("slice of a zero", () -> new Slice("a\0b").data());
        line("slice of part", () -> new Slice(b("abcdef"), 2).data());
        line("slice of nothing behind", () -> new Slice(b("abc"), 3).data());
        line("slice of bytes", () -> new Slice(b("abc")).data());
        line("slice of no bytes", () -> new Slice(new byte[0]).data());
        line("slice equals", () -> new Slice("ab").equals(new Slice(b("ab"))));
        line("slice equals other", () -> new Slice("ab").equals(new Slice("ac")));
        line("slice equals text", () -> new Slice("ab").equals((Object) "ab"));
        line("slice compare less", () -> Integer.signum(new Slice("ab").compare(new Slice("ac"))));
        line("slice compare longer", () -> new Slice("abcde").compare(new Slice("ab")));
        line("slice compare shorter", () -> new Slice("ab").compare(new Slice("abcde")));
        line("slice compare unsigned",
                () -> Integer.signum(new Slice(new byte[]{-1}).compare(new Slice(new byte[]{1}))));
        line("slice compare null", () -> new Slice("ab").compare(null));
        line("slice compare difference", () -> new Slice("a").compare(new Slice("d")));
        line("slice starts", () -> new Slice("abc").startsWith(new Slice("ab")));
        line("slice starts not", () -> new Slice("abc").startsWith(new Slice("b")));
        line("slice starts longer", () -> new Slice("abc").startsWith(new Slice("abcd")));
        line("slice starts null", () -> new Slice("abc").startsWith(null));
        line("slice without prefix", () -> {
            Slice s = new Slice(b("abcdef"));
            s.removePrefix(2);
            return s + " " + s.size() + " " + Arrays.toString(s.data());
        });
        line("slice without prefix twice, cleared and closed", () -> {
            Slice s = new Slice(b("abcdef"));
            s.removePrefix(2);
            s.removePrefix(1);
            String seen = s.toString();
            s.clear();
            seen += s.size() + s.toString() + s.empty() + Arrays.toString(s.data());
            s.close();
            return seen;
        });
        line("slice of text without prefix", () -> {
            Slice s = new Slice("abcdef");
            s.removePrefix(6);
            s.clear();
            s.clear();
            s.close();
            s.close();
            return s.compare(s) + " " + owned(s);
        });
        line("slice closed", () -> closed(new Slice("abc")).size());
        line("slice closed text", () -> closed(new Slice("abc")).toString());
        line("slice closed compared", () -> {
            Slice s = new Slice("abc");
            s.close();
            return s.compare(new Slice("a")) + " " + new Slice("a").compare(s) + " " + s.compare(s);
        });
        line("slice closed start", () -> new Slice("a").startsWith(closed(new Slice("abc"))));
        line("slice hex of bytes", () -> new Slice(new byte[]{0, 1, -1, 'a', 127, -128}).toString(true));
    }

    private void directSlices() {
        line("direct text", () -> new DirectSlice("some").toString());
        line("direct text data", () -> show(new DirectSlice("some").data()));
        line("direct none", () -> DirectSlice.NONE);
        line("direct data", () -> show(new DirectSlice(direct("some")).data()));
        line("direct length", () -> show(new DirectSlice(direct("some"), 2).data()));
        line("direct position", () -> {
            ByteBuffer buffer = direct("xsome");
            buffer.position(1);
            DirectSlice slice = new DirectSlice(buffer);
            return show(slice.data()) + show(buffer) + slice.size();
        });
        line("direct heap", () -> new DirectSlice(ByteBuffer.wrap(b("some"))));
        line("direct heap length", () -> new DirectSlice(ByteBuffer.wrap(b("some")), 2));
        line("direct get", () -> new DirectSlice(direct("some")).get(1));
        line("direct length longer", () -> {
            DirectSlice slice = new DirectSlice(direct("some"), 2);
            slice.setLength(1);
            return slice + " " + slice.size() + " " + slice.empty();
        });
        line("direct prefix", () -> {
            DirectSlice slice = new DirectSlice(direct("some"));
            slice.removePrefix(1);
            String seen = slice + " " + (char) slice.get(0) + show(slice.data());
            slice.clear();
            seen += slice.size() + slice.toString() + show(slice.data());
            slice.close();
            return seen;
        });
        line("direct shares", () -> {
            ByteBuffer buffer = direct("some");
            DirectSlice slice = new DirectSlice(buffer);
            buffer.put(0, (byte) 'c');
            String seen = slice.toString();
            slice.data().put(0, (byte) 'd');
            return seen + (char) buffer.get(0);
        });
        line("direct equals", () -> new DirectSlice("ab").equals((Object) new Slice("ab")));
        line("direct text closed", () -> {
            DirectSlice slice = new DirectSlice("abc");
            slice.removePrefix(1);
            slice.close();
            return slice.size();
        });
    }

    private void bounds() {
        try (ReadOptions options = new ReadOptions(); Slice lower = new Slice("b"); Slice upper = new Slice("y")) {
            line("bounds before", () -> options.iterateLowerBound() + " " + options.iterateUpperBound() + " "
                    + options.timestamp() + " " + options.iterStartTs() + " " + options.snapshot());
            line("bounds itself", () -> {
                options.setIterateLowerBound(lower);
                return options.iterateLowerBound();
            });
            options.setIterateUpperBound(upper).setTimestamp(new Slice("12345678")).setIterStartTs(new Slice("1234"));
            line("bounds after", () -> options.iterateLowerBound() + " " + options.iterateUpperBound() + " "
                    + options.timestamp() + " " + options.iterStartTs());
            line("bounds are", () -> options.iterateLowerBound().equals(lower));
            line("bounds copied", () -> {
                try (ReadOptions copy = new ReadOptions(options)) {
                    return copy.iterateLowerBound() + " " + copy.iterateUpperBound() + " " + copy.timestamp() + " "
                            + copy.iterStartTs();
                }
            });
            line("bounds removed", () -> {
                options.setIterateLowerBound(null).setIterateUpperBound(null).setTimestamp(null).setIterStartTs(null);
                return options.iterateLowerBound() + " " + options.iterateUpperBound() + " " + options.timestamp() + " "
                        + options.iterStartTs();
            });
            line("bounds closed slice", () -> options.setIterateLowerBound(closed(new Slice("x"))));
        }
        line("bounds of closed options", () -> closed(new ReadOptions()).setIterateLowerBound(new Slice("x")));
        line("bounds given by closed options", () -> closed(new ReadOptions()).iterateLowerBound());
        line("snapshot of closed options", () -> closed(new ReadOptions()).snapshot());
    }

    private void gets(RocksDB db, ColumnFamilyHandle other) {
        try (ReadOptions options = new ReadOptions()) {
            for (String key : List.of("key1", "none", "big", "empty")) {
                line("get " + key, () -> db.get(b(key)));
                line("get of family " + key, () -> db.get(other, b(key)));
                line("get exists " + key, () -> db.keyExists(b(key)) + " " + db.keyExists(other, b(key)) + " "
                        + db.keyExists(options, b(key)) + " " + db.keyExists(other, options, b(key)) + " "
                        + db.keyExists(b("x" + key + "x"), 1, key.length()) + " "
                        + db.keyExists(direct(key)) + " " + db.keyExists(other, options, direct(key)));
                for (int room : new int[]{0, 3, 7, 20, 6000}) {
                    line("get " + key + " into " + room, () -> {
                        byte[] value = new byte[room];
                        return db.get(b(key), value) + " " + short_(value);
                    });
                    line("get " + key + " into direct " + room,
                            () -> intoBuffer(db, options, direct(key), ByteBuffer.allocateDirect(room)));
                    line("get " + key + " into heap " + room,
                            () -> intoBuffer(db, options, ByteBuffer.wrap(b(key)), ByteBuffer.allocate(room)));
                    line("get " + key + " of family into direct " + room, () -> {
                        ByteBuffer value = ByteBuffer.allocateDirect(room + 4).position(2).limit(room + 2);
                        ByteBuffer from = direct("xx" + key + "yyy").position(2).limit(2 + key.length());
                        return db.get(other, options, from, value) + show(from) + show(value);
                    });
                    line("get " + key + " of family into a slice of heap " + room, () -> {
                        ByteBuffer value = ByteBuffer.allocate(room + 8).position(3).slice().position(1)
                                .limit(room + 2);
                        ByteBuffer from = ByteBuffer.wrap(b("xx" + key + "yyy"), 1, key.length() + 3).slice()
                                .position(1).limit(1 + key.length());
                        return db.get(other, options, from, value) + show(from) + show(value);
                    });
                }
            }
            line("get heap into direct",
                    () -> intoBuffer(db, options, ByteBuffer.wrap(b("key1")), ByteBuffer.allocateDirect(10)));
            line("get direct into heap", () -> intoBuffer(db, options, direct("key1"), ByteBuffer.allocate(10)));
            line("get into read-only", () -> intoBuffer(db, options, ByteBuffer.wrap(b("key1")),
                    ByteBuffer.allocate(10).asReadOnlyBuffer()));
            line("get from read-only", () -> intoBuffer(db, options, ByteBuffer.wrap(b("key1")).asReadOnlyBuffer(),
                    ByteBuffer.allocate(10)));
            line("get from read-only direct",
                    () -> intoBuffer(db, options, direct("key1").asReadOnlyBuffer(), ByteBuffer.allocateDirect(10)));
            line("get part", () -> db.get(b("xkey1x"), 1, 4));
            line("get part outside", () -> db.get(b("key1"), 1, 4));
            line("get negative part", () -> db.get(b("key1"), -1, 4));
            line("get negative length", () -> db.get(b("key1"), 1, -4));
            line("get into part", () -> {
                byte[] value = new byte[8];
                return db.get(b("xkey1x"), 1, 4, value, 2, 3) + " " + Arrays.toString(value);
            });
            line("get into part outside", () -> db.get(b("key1"), 0, 4, new byte[4], 2, 3));
            line("get null", () -> db.get((byte[]) null));
            line("get with null options", () -> db.get((ReadOptions) null, b("key1")));
            line("get of null family", () -> db.get((ColumnFamilyHandle) null, b("key1")));
            line("get exists null", () -> db.keyExists((byte[]) null));
            line("get exists outside", () -> db.keyExists(b("abc"), 2, 2));
            line("get exists heap", () -> db.keyExists(ByteBuffer.wrap(b("key1"))));
            line("get exists position", () -> {
                ByteBuffer key = direct("xkey1").position(1);
                return db.keyExists(key) + show(key);
            });
            line("get exists null family", () -> db.keyExists((ColumnFamilyHandle) null, b("key1")));
            line("get exists null options", () -> db.keyExists((ReadOptions) null, b("key1")));
            options.setReadTier(ReadTier.BLOCK_CACHE_TIER);
            line("get in memory", () -> db.get(options, b("key1")));
        }
    }

    private static String intoBuffer(RocksDB db, ReadOptions options, ByteBuffer key, ByteBuffer value)
            throws RocksDBException {
        try {
            return db.get(options, key, value) + show(key) + show(value);
        } catch (RocksDBException e) {
            return e.getMessage() + " " + e.getStatus() + show(key) + show(value);
        }
    }

    private void keysThatMayExist(RocksDB db, ColumnFamilyHandle other) {
        try (ReadOptions options = new ReadOptions()) {
            for (String key : List.of("key1", "none", "big", "empty")) {
                line("may exist " + key, () -> db.keyMayExist(b(key), null));
                line("may exist held " + key, () -> {
                    Holder<byte[]> holder = new Holder<>(b("before"));
                    return db.keyMayExist(b(key), holder) + " " + short_(holder.getValue());
                });
                line("may exist part held " + key, () -> {
                    Holder<byte[]> holder = new Holder<>();
                    return db.keyMayExist(other, options, b("x" + key + "x"), 1, key.length(), holder) + " "
                            + short_(holder.getValue());
                });
                for (int at : new int[]{0, 1}) {
                    line("may exist buffer " + key + " at " + at, () -> {
                        ByteBuffer from = direct("x".repeat(at) + key).position(at);
                        return db.keyMayExist(from) + show(from);
                    });
                    line("may exist buffer of family " + key + " at " + at, () -> {
                        ByteBuffer from = direct("x".repeat(at) + key).position(at);
                        return db.keyMayExist(other, options, from) + show(from);
                    });
                    line("may exist buffer by key exists " + key + " at " + at, () -> {
                        ByteBuffer from = direct("x".repeat(at) + key).position(at);
                        return db.keyExists(from) + show(from);
                    });
                    for (int room : new int[]{0, 3, 7, 20}) {
                        line("may exist buffers " + key + " " + room + " at " + at, () -> {
                            ByteBuffer from = direct("x".repeat(at) + key).position(at);
                            ByteBuffer to = ByteBuffer.allocateDirect(room + at).position(at);
                            return show(db.keyMayExist(from, to)) + show(from) + show(to);
                        });
                        line("may exist buffers of family " + key + " " + room + " at " + at, () -> {
                            ByteBuffer from = direct("x".repeat(at) + key).position(at);
                            ByteBuffer to = ByteBuffer.allocateDirect(room + at).position(at);
                            return show(db.keyMayExist(other, options, from, to)) + show(from) + show(to);
                        });
                    }
                }
            }
            line("may exist heap", () -> db.keyMayExist(ByteBuffer.wrap(b("key1"))));
            line("may exist heap value", () -> db.keyMayExist(direct("key1"), ByteBuffer.allocate(10)));
            line("may exist null value", () -> db.keyMayExist(direct("key1"), null));
            line("may exist null key", () -> db.keyMayExist((ByteBuffer) null));
            line("may exist null array", () -> db.keyMayExist((byte[]) null, null));
            line("may exist outside", () -> db.keyMayExist(b("abc"), 2, 2, null));
            line("may exist null family", () -> db.keyMayExist((ColumnFamilyHandle) null, b("key1"), null));
            line("may exist null options", () -> db.keyMayExist((ReadOptions) null, b("key1"), null));
        }
    }

    private void multiGets(RocksDB db, ColumnFamilyHandle other) {
        ColumnFamilyHandle first = db.getDefaultColumnFamily();
        List<byte[]> keys = List.of(b("key1"), b("none"), b("key0"), b("key1"), b("big"), b("empty"));
        try (ReadOptions options = new ReadOptions()) {
            line("multi", () -> show(db.multiGetAsList(keys)));
            line("multi options", () -> show(db.multiGetAsList(options, keys)));
            line("multi families", () -> show(db.multiGetAsList(
                    List.of(first, other, other, first, other, first), keys)));
            line("multi options families", () -> show(db.multiGetAsList(options,
                    List.of(other, other, other, other, other, other), keys)));
            line("multi none", () -> show(db.multiGetAsList(List.of())));
            line("multi none of no families", () -> show(db.multiGetAsList(List.of(), List.of())));
            line("multi too few families", () -> show(db.multiGetAsList(List.of(first), keys)));
            line("multi null", () -> db.multiGetAsList((List<byte[]>) null));
            line("multi null key", () -> show(db.multiGetAsList(Arrays.asList(b("key1"), null))));
            line("multi null options", () -> show(db.multiGetAsList((ReadOptions) null, keys)));
            line("multi mutable", () -> {
                List<byte[]> values = db.multiGetAsList(keys);
                values.add(null);
                return values.getClass() + show(values);
            });
            List<byte[]> many = new ArrayList<>();
            for (int i = 0; i < 3000; i++) {
                many.add(b("key" + i % 12));
            }
            line("multi many", () -> Arrays.deepHashCode(db.multiGetAsList(many).toArray()));
        }
    }

    private void multiGetsIntoBuffers(RocksDB db, ColumnFamilyHandle other) {
        ColumnFamilyHandle first = db.getDefaultColumnFamily();
        try (ReadOptions options = new ReadOptions()) {
            for (int room : new int[]{0, 3, 7, 20, 6000}) {
                buffers("buffers " + room, keys -> db.multiGetByteBuffers(keys, room(keys.size(), room)));
                buffers("buffers options families " + room,
                        keys -> db.multiGetByteBuffers(options, List.of(first, other, other, first, other, first),
                                keys, room(keys.size(), room)));
            }
            buffers("buffers one family", keys -> db.multiGetByteBuffers(List.of(other), keys, room(keys.size(), 20)));
            buffers("buffers no family", keys -> db.multiGetByteBuffers(List.of(), keys, room(keys.size(), 20)));
            line("buffers two families", () -> db.multiGetByteBuffers(List.of(first, other), keys(), room(6, 20)));
            line("buffers too few", () -> db.multiGetByteBuffers(keys(), room(5, 20)));
            line("buffers heap key", () -> db.multiGetByteBuffers(List.of(ByteBuffer.wrap(b("key1"))), room(1, 20)));
            line("buffers heap value",
                    () -> db.multiGetByteBuffers(List.of(direct("key1")), List.of(ByteBuffer.allocate(20))));
            buffers("buffers options", keys -> db.multiGetByteBuffers(options, keys, room(keys.size(), 20)));
            line("buffers positions", () -> {
                List<ByteBuffer> keys = List.of(direct("xkey1x").position(1).limit(5), direct("key2"));
                ByteBuffer limited = ByteBuffer.allocateDirect(20).position(2).limit(6);
                return show(db.multiGetByteBuffers(keys,
                        List.of(limited, ByteBuffer.allocateDirect(20).position(3))), keys);
            });
            line("buffers none", () -> db.multiGetByteBuffers(List.of(), List.of()));
        }
    }

    private interface Buffers {
        List<ByteBufferGetStatus> get(List<ByteBuffer> keys) throws RocksDBException;
    }

    private void buffers(String key, Buffers call) {
        List<ByteBuffer> keys = keys();
        line(key, () -> show(call.get(keys), keys));
    }

    private static List<ByteBuffer> keys() {
        return List.of(direct("key1"), direct("none"), direct("key0"), direct("key1"), direct("big"), direct("empty"));
    }

    private static List<ByteBuffer> room(int count, int room) {
        List<ByteBuffer> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            values.add(ByteBuffer.allocateDirect(room));
        }
        return values;
    }

    private void iterators(RocksDB db, ColumnFamilyHandle other) {
        try (ReadOptions options = new ReadOptions(); RocksIterator it = db.newIterator(other, options)) {
            line("iterator before", it::isValid);
            it.seek(b("key3"));
            line("iterator seek", () -> show(it.key()) + show(it.value()) + it.isValid());
            line("iterator key into read-only", () -> it.key(ByteBuffer.allocate(10).asReadOnlyBuffer()));
            line("iterator value into read-only", () -> it.value(ByteBuffer.allocate(10).asReadOnlyBuffer()));
            it.seekForPrev(b("key35"));
            line("iterator for previous", () -> show(it.key()) + show(it.value()));
            line("iterator seek buffer", () -> {
                ByteBuffer target = direct("xkey4").position(1);
                it.seek(target);
                return show(it.key()) + show(target);
            });
            line("iterator seek heap", () -> {
                ByteBuffer target = ByteBuffer.wrap(b("xkey5y"), 1, 4);
                it.seek(target);
                return show(it.key()) + show(target);
            });
            line("iterator seek slice of heap", () -> {
                ByteBuffer target = ByteBuffer.wrap(b("xxkey6y"), 1, 5).slice().position(1);
                it.seekForPrev(target);
                return show(it.key()) + show(target);
            });
            line("iterator previous buffer", () -> {
                ByteBuffer target = direct("xkey4").position(1);
                it.seekForPrev(target);
                return show(it.key()) + show(target);
            });
            for (int room : new int[]{0, 2, 4, 20}) {
                line("iterator key into direct " + room, () -> {
                    ByteBuffer buffer = ByteBuffer.allocateDirect(room + 3).position(1).limit(room + 1);
                    return it.key(buffer) + show(buffer);
                });
                line("iterator value into heap " + room, () -> {
                    ByteBuffer buffer = ByteBuffer.allocate(room + 3).position(1).slice().limit(room);
                    return it.value(buffer) + show(buffer);
                });
                line("iterator key into array " + room, () -> {
                    byte[] array = new byte[room + 2];
                    return it.key(array) + show(array) + it.value(array) + show(array);
                });
                line("iterator into part " + room, () -> {
                    byte[] array = new byte[room + 2];
                    return it.key(array, 1, room) + show(array) + it.value(array, 2, room) + show(array);
                });
            }
            line("iterator into part outside", () -> it.key(new byte[4], 2, 4));
            line("iterator into negative part", () -> it.value(new byte[4], -1, 2));
            line("iterator into null", () -> it.key((byte[]) null));
            line("iterator seek null", () -> {
                it.seek((byte[]) null);
                return it.isValid();
            });
            line("iterator last", () -> {
                it.seekToLast();
                String seen = show(it.key());
                it.next();
                seen += it.isValid();
                it.status();
                it.seekToFirst();
                it.prev();
                return seen + it.isValid();
            });
            line("iterator refresh", () -> {
                db.put(other, b("later"), b("1"));
                it.seek(b("later"));
                boolean before = it.isValid();
                it.refresh();
                boolean moved = it.isValid();
                it.seek(b("later"));
                boolean after = it.isValid();
                db.delete(other, b("later"));
                return before + " " + moved + " " + after;
            });
        }
        line("iterators", () -> {
            List<RocksIterator> all = db.newIterators(List.of(other, db.getDefaultColumnFamily()));
            StringBuilder seen = new StringBuilder();
            for (RocksIterator it : all) {
                it.seekToFirst();
                seen.append(show(it.key()));
                it.close();
            }
            return seen;
        });
        line("iterators none", () -> db.newIterators(List.of()).size());
        line("iterators options", () -> {
            try (ReadOptions options = new ReadOptions().setIterateLowerBound(new Slice("key5"))) {
                List<RocksIterator> all = db.newIterators(List.of(other), options);
                all.getFirst().seekToFirst();
                String key = show(all.getFirst().key());
                all.getFirst().close();
                return key;
            }
        });
        line("iterator null options", () -> {
            try (RocksIterator it = db.newIterator((ReadOptions) null)) {
                return it.isValid();
            }
        });
        line("iterator closed", () -> {
            RocksIterator it = db.newIterator();
            it.close();
            it.close();
            return it.isValid();
        });
    }

    private void ranges(RocksDB db) {
        Slice lower = new Slice("key3");
        Slice upper = new Slice("key6");
        try (ReadOptions options = new ReadOptions().setIterateLowerBound(lower).setIterateUpperBound(upper)) {
            lines.put("range forward", walk(db, options, true));
            lines.put("range backward", walk(db, options, false));
            options.setIterateLowerBound(null);
            lines.put("range without lower bound", walk(db, options, true));
        }
        line("sizes", () -> db.getApproximateSizes(
                List.of(new Range(new Slice("a"), new Slice("key5")), new Range(new Slice("x"), new Slice("y"))),
                SizeApproximationFlag.INCLUDE_FILES, SizeApproximationFlag.INCLUDE_MEMTABLES)[1]);
        line("sizes by default", () -> Arrays.toString(db.getApproximateSizes(
                List.of(new Range(new Slice("a"), new Slice("key5"))))));
        line("sizes of nothing", () -> db.getApproximateSizes(List.of(), SizeApproximationFlag.INCLUDE_FILES).length);
        line("sizes of family null", () -> db.getApproximateSizes(null,
                List.of(new Range(new Slice("a"), new Slice("z"))), SizeApproximationFlag.INCLUDE_MEMTABLES)[0] > 0);
        line("sizes without files", () -> db.getApproximateSizes(List.of(new Range(new Slice("a"), new Slice("z"))),
                SizeApproximationFlag.NONE)[0]);
        line("sizes of null", () -> db.getApproximateSizes(null, SizeApproximationFlag.INCLUDE_FILES));
    }

    private static String walk(RocksDB db, ReadOptions options, boolean forward) {
        StringBuilder seen = new StringBuilder();
        try (RocksIterator it = db.newIterator(options)) {
            if (forward) {
                it.seekToFirst();
            } else {
                it.seekToLast();
            }
            while (it.isValid()) {
                seen.append(new String(it.key(), UTF_8)).append(' ');
                if (forward) {
                    it.next();
                } else {
                    it.prev();
                }
            }
        }
        return seen.toString();
    }

    private void snapshots(RocksDB db) {
        line("snapshot", () -> {
            Snapshot snapshot = db.getSnapshot();
            boolean same = snapshot.getSequenceNumber() == db.getLatestSequenceNumber();
            db.put(b("snap"), b("1"));
            String seen = same + " " + owned(snapshot);
            try (ReadOptions options = new ReadOptions().setSnapshot(snapshot)) {
                seen += show(db.get(options, b("snap"))) + owned(options.snapshot())
                        + (options.snapshot().getSequenceNumber() == snapshot.getSequenceNumber());
                try (ReadOptions copy = new ReadOptions(options)) {
                    seen += (copy.snapshot() != null) + show(db.get(copy, b("snap")));
                }
                seen += db.keyExists(options, b("snap")) + " "
                        + show(db.multiGetAsList(options, List.of(b("snap"), b("key1"))));
                try (RocksIterator it = db.newIterator(options)) {
                    it.seek(b("snap"));
                    seen += it.isValid();
                }
                options.setSnapshot(null);
                seen += options.snapshot() + show(db.get(options, b("snap")));
            }
            db.releaseSnapshot(snapshot);
            snapshot.close();
            db.delete(b("snap"));
            return seen;
        });
        line("snapshot null", () -> {
            db.releaseSnapshot(null);
            return "released";
        });
        line("snapshot refresh null", () -> {
            try (RocksIterator it = db.newIterator()) {
                it.refresh(null);
                return it.isValid();
            }
        });
        line("snapshot refresh", () -> {
            Snapshot snapshot = db.getSnapshot();
            db.put(b("snap"), b("1"));
            try (RocksIterator it = db.newIterator()) {
                it.seek(b("snap"));
                boolean before = it.isValid();
                it.refresh(snapshot);
                boolean moved = it.isValid();
                it.seek(b("snap"));
                boolean then = it.isValid();
                it.refresh();
                it.seek(b("snap"));
                return before + " " + moved + " " + then + " " + it.isValid();
            } finally {
                db.releaseSnapshot(snapshot);
                db.delete(b("snap"));
            }
        });
    }

    private void notInMemory(RocksDB db, ColumnFamilyHandle other) throws RocksDBException {
        try (FlushOptions flush = new FlushOptions()) {
            db.flush(flush, db.getDefaultColumnFamily());
            db.flush(flush, other);
        }
        List<byte[]> keys = List.of(b("key1"), b("key2"));
        try (ReadOptions options = new ReadOptions().setReadTier(ReadTier.BLOCK_CACHE_TIER)) {
            line("disk get", () -> db.get(options, b("key1")));
            line("disk get into", () -> db.get(options, b("key1"), new byte[4]));
            line("disk exists", () -> db.keyExists(options, b("key1")));
            line("disk multi", () -> show(db.multiGetAsList(options, keys)));
            line("disk multi families", () -> show(
                    db.multiGetAsList(options, List.of(other, db.getDefaultColumnFamily()), keys)));
            line("disk buffers", () -> {
                List<ByteBuffer> direct = List.of(direct("key1"), direct("none"));
                return show(db.multiGetByteBuffers(options, direct, room(2, 20)), direct);
            });
            line("disk may exist", () -> {
                Holder<byte[]> holder = new Holder<>();
                return db.keyMayExist(options, b("key1"), holder) + " " + short_(holder.getValue());
            });
            line("disk may exist buffers", () -> {
                ByteBuffer value = ByteBuffer.allocateDirect(9);
                return show(db.keyMayExist(options, direct("key1"), value)) + show(value);
            });
            line("disk iterator", () -> {
                try (RocksIterator it = db.newIterator(options)) {
                    it.seekToFirst();
                    String seen = it.isValid() + " ";
                    it.status();
                    return seen;
                }
            });
        }
    }

    private void properties(RocksDB db, ColumnFamilyHandle other) {
        for (String name : List.of("rocksdb.estimate-num-keys", "rocksdb.num-files-at-level0", "rocksdb.nothing", "",
                "rocksdb.num-entries-active-mem-table", "rocksdb.block-cache-capacity", "rocksdb.cfstats",
                "rocksdb.is-write-stopped")) {
            if (!name.equals("rocksdb.cfstats")) {
                line("property " + name, () -> db.getProperty(name));
                line("property of family " + name, () -> db.getProperty(other, name));
            }
            line("long property " + name, () -> db.getLongProperty(name));
            line("long property of family " + name, () -> db.getLongProperty(other, name));
            line("aggregated property " + name, () -> db.getAggregatedLongProperty(name));
            line("property of null family " + name, () -> db.getProperty((ColumnFamilyHandle) null, name).length() > 0);
            line("long property of null family " + name, () -> db.getLongProperty((ColumnFamilyHandle) null, name));
        }
        line("property null", () -> db.getProperty(null));
        line("long property null", () -> db.getLongProperty(null));
        line("aggregated property null", () -> db.getAggregatedLongProperty(null));
    }

    private void line(String key, Probe probe) {
        String result;
        try {
            Object value = probe.run();
            result = value instanceof byte[] bytes ? show(bytes) : String.valueOf(value);
        } catch (RocksDBException e) {
            result = "throws " + e.getMessage() + " " + (e.getStatus() == null
                    ? null
                    : e.getStatus().getCode() + " " + e.getStatus().getSubCode() + " " + e.getStatus().getState());
        } catch (Exception | AssertionError e) {
            result = "throws " + e.getClass().getName();
        }
        lines.put(key, result.replace("\0", "\\0").replace("\n", "\\n").replace("\t", "\\t"));
    }

    private static String owned(org.rocksdb.RocksObject object) {
        return " owned " + object.isOwningHandle();
    }

    private static String owned(org.rocksdb.AbstractSlice<?> slice) {
        return slice == null ? "null" : "a slice";
    }

    private static String show(List<byte[]> values) {
        StringBuilder seen = new StringBuilder();
        values.forEach(value -> seen.append(show(value)));
        return seen.toString();
    }

    private static String show(List<ByteBufferGetStatus> statuses, List<ByteBuffer> keys) {
        StringBuilder seen = new StringBuilder();
        for (ByteBufferGetStatus status : statuses) {
            seen.append(status.status.getCode()).append(' ').append(status.status.getSubCode()).append(' ')
                    .append(status.status.getState()).append(' ').append(status.requiredSize)
                    .append(status.value == null ? " null" : show(status.value)).append("; ");
        }
        keys.forEach(key -> seen.append(show(key)));
        return seen.toString();
    }

    private static String show(KeyMayExist result) {
        return result.exists + " " + result.valueLength;
    }

    private static String show(ByteBuffer buffer) {
        ByteBuffer rest = buffer.duplicate();
        byte[] bytes = new byte[rest.remaining()];
        rest.get(bytes);
        return " [" + buffer.position() + " " + buffer.limit() + " " + buffer.capacity() + " "
                + (buffer.isDirect() ? "direct " : "") + short_(bytes) + "]";
    }

    private static String show(byte[] bytes) {
        return " " + short_(bytes);
    }

    private static String short_(byte[] bytes) {
        return bytes == null
                ? "null"
                : bytes.length > 40
                        ? bytes.length + " bytes " + Arrays.hashCode(bytes)
                        : "'" + new String(bytes, UTF_8) + "'";
    }

    private static <T extends AutoCloseable> T closed(T resource) throws Exception {
        resource.close();
        return resource;
    }

    private static ByteBuffer direct(String text) {
        return ByteBuffer.allocateDirect(b(text).length).put(b(text)).flip();
    }

    private static byte[] b(String text) {
        return text.getBytes(UTF_8);
    }
}
