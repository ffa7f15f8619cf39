import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.mockingDetails;
import static org.mockito.Mockito.spy;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.mockito.Answers;
import org.mockito.MockedStatic;
import org.mockito.Mockito;
import org.rocksdb.*;

/** Mocks classes of org.rocksdb and spies on their objects, and prints the results. Arguments: a directory. */
public class MocksProgram {
    private static final List<Class<?>> MOCKED = List.of(RocksDB.class, ColumnFamilyHandle.class, RocksIterator.class,
            WriteBatch.class, WriteBatchWithIndex.class, ReadOptions.class, WriteOptions.class, Options.class,
            DBOptions.class, ColumnFamilyOptions.class, FlushOptions.class, Statistics.class, Snapshot.class,
            Transaction.class, TransactionDB.class, OptimisticTransactionDB.class, Checkpoint.class, BackupEngine.class,
            SstFileWriter.class, SstFileManager.class, Cache.class, LRUCache.class, Env.class,
            BlockBasedTableConfig.class, ColumnFamilyDescriptor.class, Slice.class, TransactionLogIterator.class,
            Logger.class, AbstractComparator.class, RocksDBException.class, WriteBufferManager.class, TtlDB.class);

    private static void tell(String line) {
        System.out.println("> " + line);
    }

    public static void main(String[] args) throws Exception {
        for (Class<?> type : MOCKED) {
            defaults(type);
        }
        stubs();
        deepStubs();
        try (RocksDB db = RocksDB.open(new Options().setCreateIfMissing(true), args[0])) {
            spies(db);
            spiesInUse(db);
        }
        statics(args[0]);
        System.exit(0);
    }

    /** Each method of a mock does nothing, and is noted; calls to it can be verified. */
    private static void defaults(Class<?> type) throws Exception {
        Object mock = mock(type);
        List<Method> methods = Arrays.stream(type.getMethods())
                .filter(each -> each.getDeclaringClass() != Object.class && each.getDeclaringClass() != Throwable.class)
                .filter(each -> !each.getName().matches("hashCode|toString|equals") && !each.isSynthetic() && !Modifier.isStatic(each.getModifiers()))
                .sorted(Comparator.comparing(MocksProgram::signature)).toList();
        for (Method method : methods) {
            Object[] arguments = Arrays.stream(method.getParameterTypes()).map(MocksProgram::zero).toArray();
            String result;
            try {
                result = text(method.invoke(mock, arguments), mock);
            } catch (InvocationTargetException e) {
                result = e.getCause().getClass().getName();
            }
            tell(type.getSimpleName() + " " + signature(method) + " " + result);
        }
        tell(type.getSimpleName() + " calls " + mockingDetails(mock).getInvocations().size());
    }

    private static String signature(Method method) {
        return method.getName() + Arrays.stream(method.getParameterTypes()).map(Class::getSimpleName).toList() + " "
                + method.getReturnType().getSimpleName();
    }

    private static Object zero(Class<?> type) {
        return type.isPrimitive() ? Array.get(Array.newInstance(type, 1), 0) : null;
    }

    private static String text(Object result, Object mock) {
        return result == mock
                ? "itself"
                : result instanceof Collection<?> || result instanceof Map<?, ?> || result instanceof Optional<?>
                        ? result.toString()
                        : result == null || result.getClass().getName().startsWith("java.lang")
                                ? String.valueOf(result)
                                : result.getClass().isArray() ? "array" : "an object";
    }

    private static void stubs() throws Exception {
        byte[] key = {1};
        RocksDB db = mock(RocksDB.class);
        ColumnFamilyHandle family = mock(ColumnFamilyHandle.class);
        RocksIterator iterator = mock(RocksIterator.class);
        when(family.getName()).thenReturn("words".getBytes());
        when(family.getID()).thenReturn(7);
        when(db.get(key)).thenReturn(new byte[]{2});
        when(db.get(family, key)).thenReturn(new byte[]{3});
        when(db.get(any(ReadOptions.class), any(byte[].class))).thenReturn(new byte[]{4});
        when(db.newIterator(family)).thenReturn(iterator);
        when(iterator.isValid()).thenReturn(true, true, false);
        when(iterator.key()).thenReturn(key);
        doThrow(new RocksDBException("no space")).when(db).put(any(byte[].class), any(byte[].class));
        doAnswer(call -> {
            tell("answer " + call.getArguments().length);
            return null;
        }).when(db).write(any(WriteOptions.class), any(WriteBatch.class));
        tell("stubs " + Arrays.toString(db.get(key)) + Arrays.toString(db.get(family, key))
                + Arrays.toString(db.get(mock(ReadOptions.class), key)) + new String(family.getName())
                + family.getID());
        try (RocksIterator each = db.newIterator(family)) {
            int entries = 0;
            for (each.seekToFirst(); each.isValid(); each.next()) {
                entries++;
            }
            tell("iterator " + entries);
        }
        verify(iterator).seekToFirst();
        verify(iterator, times(2)).next();
        verify(iterator).close();
        try {
            db.put(key, key);
        } catch (RocksDBException e) {
            tell("refused " + e.getMessage() + " " + e.getStatus());
        }
        db.write(mock(WriteOptions.class), mock(WriteBatch.class));
        db.close();
        verify(db).close();
        Statistics statistics = mock(Statistics.class);
        when(statistics.getTickerCount(TickerType.BYTES_WRITTEN)).thenReturn(5L);
        when(statistics.getHistogramData(HistogramType.DB_GET)).thenReturn(new HistogramData(1, 2, 3, 4, 5));
        tell("statistics " + statistics.getTickerCount(TickerType.BYTES_WRITTEN)
                + statistics.getTickerCount(TickerType.BYTES_READ)
                + statistics.getHistogramData(HistogramType.DB_GET).getMedian());
    }

    private static void deepStubs() throws Exception {
        RocksDB db = mock(RocksDB.class, Answers.RETURNS_DEEP_STUBS);
        when(db.getDefaultColumnFamily().getID()).thenReturn(9);
        tell("deep " + db.getDefaultColumnFamily().getID());
        Options options = mock(Options.class, Answers.RETURNS_SELF);
        tell("self " + (options.setCreateIfMissing(true).setMaxOpenFiles(5) == options));
    }

    /** Real objects, watched. */
    private static void spies(RocksDB real) throws Exception {
        RocksDB db = spy(real);
        byte[] key = "key".getBytes();
        db.put(key, "value".getBytes());
        tell("spy " + new String(db.get(key)) + " " + new String(real.get(key)));
        verify(db).put(key, "value".getBytes());
        doReturn("other".getBytes()).when(db).get(key);
        tell("spy " + new String(db.get(key)) + " " + new String(real.get(key)));
        try (RocksIterator iterator = spy(db.newIterator())) {
            iterator.seekToFirst();
            tell("spy iterator " + iterator.isValid() + new String(iterator.key()) + new String(iterator.value()));
            iterator.next();
            iterator.status();
            tell("spy iterator " + iterator.isValid());
            verify(iterator, times(2)).isValid();
        }
        try (WriteBatch batch = spy(new WriteBatch()); WriteOptions options = spy(new WriteOptions())) {
            batch.put("a".getBytes(), "1".getBytes());
            batch.delete(key);
            tell("spy batch " + batch.count() + " " + options.setSync(true).sync() + " " + batch.getDataSize());
            real.write(options, batch);
        }
        try (WriteBatchWithIndex batch = spy(new WriteBatchWithIndex(true)); ReadOptions read = spy(new ReadOptions())) {
            batch.put("b".getBytes(), "2".getBytes());
            tell("spy index " + batch.count() + new String(batch.getFromBatchAndDB(real, read, "b".getBytes())));
        }
        tell("spy " + real.get(key) + new String(real.get("a".getBytes())));
        try (Snapshot snapshot = spy(real.getSnapshot()); ReadOptions read = new ReadOptions().setSnapshot(snapshot)) {
            real.put("a".getBytes(), "3".getBytes());
            tell("spy snapshot " + new String(real.get(read, "a".getBytes())) + (snapshot.getSequenceNumber() > 0));
        }
    }

    private static void spiesInUse(RocksDB real) throws Exception {
        String directory = real.getName() + "-spied";
        try (Options options = spy(new Options()); Statistics statistics = spy(new Statistics());
                LRUCache cache = spy(new LRUCache(1 << 20)); Logger logger = spy(new Silent())) {
            options.setCreateIfMissing(true).setStatistics(statistics).setLogger(logger);
            BlockBasedTableConfig table = spy(new BlockBasedTableConfig());
            table.setBlockCache(cache).setBlockSize(1000);
            options.setTableFormatConfig(table);
            verify(options).setLogger(logger);
            tell("spy options " + options.createIfMissing() + " " + table.blockSize() + " " + options.maxOpenFiles());
            try (RocksDB db = RocksDB.open(options, directory)) {
                ColumnFamilyHandle family = spy(db.getDefaultColumnFamily());
                db.put(family, new byte[]{1}, new byte[]{2});
                try (FlushOptions flush = spy(new FlushOptions())) {
                    db.flush(flush.setWaitForFlush(true));
                }
                tell("spy family " + Arrays.toString(db.get(family, new byte[]{1})) + new String(family.getName()));
                tell("spy statistics " + statistics.getTickerCount(TickerType.NUMBER_KEYS_WRITTEN) + " "
                        + (cache.getUsage() >= 0));
                List<byte[]> values = db.multiGetAsList(new ArrayList<>(List.of(family, family)),
                        List.of(new byte[]{1}, new byte[]{3}));
                tell("spy families " + Arrays.toString(values.getFirst()) + values.getLast());
            }
        }
        try (OptimisticTransactionDB db = OptimisticTransactionDB.open(new Options().setCreateIfMissing(true),
                directory + "-transactions"); WriteOptions write = new WriteOptions()) {
            Transaction transaction = spy(db.beginTransaction(write));
            transaction.put("t".getBytes(), "1".getBytes());
            transaction.commit();
            verify(transaction).commit();
            transaction.close();
            tell("spy transaction " + new String(db.get("t".getBytes())));
        }
    }

    private static void statics(String directory) throws Exception {
        RocksDB mock = mock(RocksDB.class);
        try (MockedStatic<RocksDB> all = Mockito.mockStatic(RocksDB.class)) {
            all.when(() -> RocksDB.open(directory)).thenReturn(mock);
            tell("static " + (RocksDB.open(directory) == mock) + " " + RocksDB.open("elsewhere"));
        }
    }

    /** A logger that keeps nothing. */
    static class Silent extends Logger {
        Silent() {
            super(InfoLogLevel.WARN_LEVEL);
        }

        @Override
        protected void log(InfoLogLevel level, String message) {
        }
    }
}
