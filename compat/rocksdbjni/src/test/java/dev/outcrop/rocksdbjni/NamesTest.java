package dev.outcrop.rocksdbjni;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.rocksdb.AbstractComparator;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.ComparatorOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushJobInfo;
import org.rocksdb.FlushOptions;
import org.rocksdb.MutableColumnFamilyOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** Names of column families are bytes. */
class NamesTest extends DatabaseTest {
    private static final byte[] A = "idx\0A".getBytes(ISO_8859_1);
    private static final byte[] B = "idx\0B".getBytes(ISO_8859_1);

    @Test
    void namesWithZeroBytesAreFamiliesOfTheirOwn() throws Exception {
        List<ColumnFamilyHandle> handles = new ArrayList<>();
        try (DBOptions options = create(); RocksDB db = RocksDB.open(options, path(), families(A, B), handles)) {
            assertThat(handles.get(1).getID()).isNotEqualTo(handles.get(2).getID());
            db.put(handles.get(1), A, A);
            assertThat(db.get(handles.get(2), A)).isNull();
            try (ColumnFamilyHandle made = db.createColumnFamily(new ColumnFamilyDescriptor(new byte[]{0, 0, 0, 1}))) {
                assertThat(made.getName()).containsExactly(0, 0, 0, 1);
                assertThat(made.getDescriptor().getName()).containsExactly(0, 0, 0, 1);
                db.put(made, A, B);
            }
        }
        handles.clear();
        Options options = closeLater(new Options());
        DBOptions database = closeLater(new DBOptions());
        List<byte[]> listed = RocksDB.listColumnFamilies(options, path());
        assertThat(listed).usingRecursiveFieldByFieldElementComparator()
                .containsExactly(RocksDB.DEFAULT_COLUMN_FAMILY, A, B, new byte[]{0, 0, 0, 1});
        try (RocksDB db = RocksDB.open(database, path(), listed.stream().map(ColumnFamilyDescriptor::new).toList(),
                handles)) {
            assertThat(db.get(handles.get(1), A)).isEqualTo(A);
            assertThat(db.get(handles.get(2), A)).isNull();
            assertThat(db.get(handles.get(3), A)).isEqualTo(B);
        }
    }

    @Test
    void eventsSayWholeNames() throws Exception {
        BlockingQueue<String> names = new LinkedBlockingQueue<>();
        List<ColumnFamilyHandle> handles = new ArrayList<>();
        try (AbstractEventListener listener = new AbstractEventListener(
                AbstractEventListener.EnabledEventCallback.ON_FLUSH_COMPLETED) {
            @Override
            public void onFlushCompleted(RocksDB db, FlushJobInfo info) {
                names.add(info.getColumnFamilyName() + " "
                        + new String(info.getTableProperties().getColumnFamilyName(), ISO_8859_1));
            }
        };
                DBOptions options = create().setListeners(List.of(listener));
                RocksDB db = RocksDB.open(options, path(), families(A, B), handles);
                FlushOptions flush = new FlushOptions()) {
            db.put(handles.get(2), A, B);
            db.flush(flush, handles.get(2));
            assertThat(names.poll(1, TimeUnit.MINUTES)).isEqualTo("idx\0B idx\0B");
        }
    }

    /** RocksDB's file of options has all families, and changes are checked against what it says of this one. */
    @Test
    void optionsOfSuchFamilyAreChanged() throws Exception {
        List<ColumnFamilyHandle> handles = new ArrayList<>();
        List<ColumnFamilyDescriptor> families = new ArrayList<>(families(A));
        families.add(new ColumnFamilyDescriptor(B, new ColumnFamilyOptions().setLevel0FileNumCompactionTrigger(30)
                .setLevel0SlowdownWritesTrigger(40).setLevel0StopWritesTrigger(50)));
        DBOptions options = closeLater(create());
        RocksDB db = closeLater(RocksDB.open(options, path(), families, handles));
        MutableColumnFamilyOptions stop = MutableColumnFamilyOptions.builder().setLevel0StopWritesTrigger(20)
                .setLevel0SlowdownWritesTrigger(20).build();
        db.setOptions(handles.get(1), stop);
        assertThatThrownBy(() -> db.setOptions(handles.get(2), stop)).isInstanceOf(IllegalArgumentException.class);
    }

    /** It is asked before anything is changed, as those of other families. */
    @Test
    void comparatorOfSuchFamilyThatThrowsLosesNothing() throws Exception {
        AtomicBoolean throwing = new AtomicBoolean();
        ComparatorOptions comparing = closeLater(new ComparatorOptions());
        AbstractComparator comparator = closeLater(new Throwing(comparing, throwing));
        ColumnFamilyOptions family = closeLater(new ColumnFamilyOptions().setComparator(comparator));
        DBOptions options = closeLater(create());
        List<ColumnFamilyDescriptor> families = new ArrayList<>(families(A));
        families.add(new ColumnFamilyDescriptor(B, family));
        List<ColumnFamilyHandle> handles = new ArrayList<>();
        try (RocksDB db = RocksDB.open(options, path(), families, handles)) {
            db.put(handles.get(2), A, A);
            db.put(handles.get(2), B, B);
        }
        handles.clear();
        throwing.set(true);
        assertThatThrownBy(() -> RocksDB.open(options, path(), families, handles))
                .isInstanceOf(RocksDBException.class)
                .hasMessageContaining("Nothing of it was changed").hasRootCauseMessage("told to");
        throwing.set(false);
        RocksDB db = closeLater(RocksDB.open(options, path(), families, handles));
        assertThat(db.get(handles.get(2), A)).isEqualTo(A);
        assertThat(db.get(handles.get(2), B)).isEqualTo(B);
    }

    /** Native methods get paths as the JVM encodes them, which is not UTF-8 for such characters. */
    @Test
    void pathWithCharactersOfFourBytesIsWhereItIsSaidToBe() throws Exception {
        Path clef = directory.resolve("\uD834\uDD1E");
        byte[] name = {(byte) 0xff, 1};
        List<ColumnFamilyHandle> handles = new ArrayList<>();
        DBOptions options = closeLater(create());
        Options list = closeLater(new Options());
        assertThatThrownBy(() -> RocksDB.open(options, clef.toString(), families(A), handles))
                .isInstanceOf(RocksDBException.class)
                .hasMessageContainingAll(clef.toString(), "U+FFFF", "zero byte", "another path");
        assertThat(directory).isEmptyDirectory();
        try (RocksDB db = RocksDB.open(options, clef.toString(), families(name), handles);
                FlushOptions flush = new FlushOptions()) {
            assertThatThrownBy(() -> db.createColumnFamily(new ColumnFamilyDescriptor(A)))
                    .isInstanceOf(RocksDBException.class)
                    .hasMessageContainingAll(clef.toString(), "U+FFFF");
            db.put(handles.get(1), A, A);
            db.flush(flush, handles.get(1));
            assertThat(db.getLiveFilesMetaData()).singleElement().satisfies(file -> {
                assertThat(file.path()).isEqualTo(clef.toString());
                assertThat(file.columnFamilyName()).isEqualTo(name);
            });
            assertThat(db.getColumnFamilyMetaData(handles.get(1)).levels().getFirst().files()).singleElement()
                    .satisfies(file -> assertThat(file.path()).isEqualTo(clef.toString()));
        }
        assertThat(directory).isDirectoryNotContaining(other -> !other.equals(clef));
        assertThat(clef).isDirectory();
        assertThat(RocksDB.listColumnFamilies(list, clef.toString())).usingRecursiveFieldByFieldElementComparator()
                .containsExactly(RocksDB.DEFAULT_COLUMN_FAMILY, name);
    }

    private static DBOptions create() {
        return new DBOptions().setCreateIfMissing(true).setCreateMissingColumnFamilies(true);
    }

    private static List<ColumnFamilyDescriptor> families(byte[]... names) {
        List<ColumnFamilyDescriptor> families = new ArrayList<>(
                List.of(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY)));
        for (byte[] name : names) {
            families.add(new ColumnFamilyDescriptor(name));
        }
        return families;
    }

    private static final class Throwing extends AbstractComparator {
        private final AtomicBoolean throwing;

        private Throwing(ComparatorOptions options, AtomicBoolean throwing) {
            super(options);
            this.throwing = throwing;
        }

        @Override
        public String name() {
            return "throwing";
        }

        @Override
        public int compare(ByteBuffer a, ByteBuffer b) {
            if (throwing.get()) {
                throw new IllegalStateException("told to");
            }
            return a.compareTo(b);
        }
    }
}
