package dev.outcrop.rocksdbjni;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/** Notes the records of a batch; after some, it ends the walk or throws. */
final class SeenRecords extends WriteBatch.Handler {
    final List<String> seen;
    private final int most;
    private final @Nullable RocksDBException failure;
    private final Function<Object[], String> text;

    SeenRecords(int most, @Nullable RocksDBException failure) {
        this(new ArrayList<>(), most, failure, arguments -> Arrays.stream(arguments)
                .map(argument -> " " + text(argument)).collect(Collectors.joining()));
    }

    private SeenRecords(List<String> seen, int most, @Nullable RocksDBException failure,
            Function<Object[], String> text) {
        this.seen = seen;
        this.most = most;
        this.failure = failure;
        this.text = text;
    }

    SeenRecords(List<String> seen, int most, Function<Object[], String> text) {
        this(seen, most, null, text);
    }

    private void see(String name, Object... arguments) {
        seen.add(name + text.apply(arguments));
    }

    private void seeOrFail(String name, Object... arguments) throws RocksDBException {
        see(name, arguments);
        if (failure != null && seen.size() >= most) {
            throw failure;
        }
    }

    private static String text(Object argument) {
        return argument instanceof byte[] bytes ? new String(bytes, UTF_8) : argument.toString();
    }

    @Override
    public void put(int family, byte[] key, byte[] value) throws RocksDBException {
        seeOrFail("put", family, key, value);
    }

    @Override
    public void put(byte[] key, byte[] value) {
        see("put", key, value);
    }

    @Override
    public void merge(int family, byte[] key, byte[] value) throws RocksDBException {
        seeOrFail("merge", family, key, value);
    }

    @Override
    public void merge(byte[] key, byte[] value) {
        see("merge", key, value);
    }

    @Override
    public void delete(int family, byte[] key) throws RocksDBException {
        seeOrFail("delete", family, key);
    }

    @Override
    public void delete(byte[] key) {
        see("delete", (Object) key);
    }

    @Override
    public void singleDelete(int family, byte[] key) throws RocksDBException {
        seeOrFail("singleDelete", family, key);
    }

    @Override
    public void singleDelete(byte[] key) {
        see("singleDelete", (Object) key);
    }

    @Override
    public void deleteRange(int family, byte[] begin, byte[] end) throws RocksDBException {
        seeOrFail("deleteRange", family, begin, end);
    }

    @Override
    public void deleteRange(byte[] begin, byte[] end) {
        see("deleteRange", begin, end);
    }

    @Override
    public void logData(byte[] blob) {
        see("logData", (Object) blob);
    }

    @Override
    public void putBlobIndex(int family, byte[] key, byte[] value) throws RocksDBException {
        seeOrFail("putBlobIndex", family, key, value);
    }

    @Override
    public void markBeginPrepare() throws RocksDBException {
        seeOrFail("markBeginPrepare");
    }

    @Override
    public void markEndPrepare(byte[] xid) throws RocksDBException {
        seeOrFail("markEndPrepare", (Object) xid);
    }

    @Override
    public void markNoop(boolean emptyBatch) throws RocksDBException {
        seeOrFail("markNoop", emptyBatch);
    }

    @Override
    public void markRollback(byte[] xid) throws RocksDBException {
        seeOrFail("markRollback", (Object) xid);
    }

    @Override
    public void markCommit(byte[] xid) throws RocksDBException {
        seeOrFail("markCommit", (Object) xid);
    }

    @Override
    public void markCommitWithTimestamp(byte[] xid, byte[] timestamp) throws RocksDBException {
        seeOrFail("markCommitWithTimestamp", xid, timestamp);
    }

    @Override
    public boolean shouldContinue() {
        return seen.size() < most;
    }
}
