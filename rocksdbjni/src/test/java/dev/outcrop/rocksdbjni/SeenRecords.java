package dev.outcrop.rocksdbjni;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/** Notes the records of a batch; after some, it ends the walk or throws. */
final class SeenRecords extends WriteBatch.Handler {

    final List<String> seen = new ArrayList<>();
    private final int most;
    private final @Nullable RocksDBException failure;

    SeenRecords(int most, @Nullable RocksDBException failure) {
        this.most = most;
        this.failure = failure;
    }

    private void see(String text) {
        seen.add(text);
    }

    private void seeOrFail(String text) throws RocksDBException {
        see(text);
        if (failure != null && seen.size() >= most) {
            throw failure;
        }
    }

    private static String s(byte[] bytes) {
        return new String(bytes, UTF_8);
    }

    @Override
    public void put(int family, byte[] key, byte[] value) throws RocksDBException {
        seeOrFail("put " + family + " " + s(key) + " " + s(value));
    }

    @Override
    public void put(byte[] key, byte[] value) {
        see("put " + s(key) + " " + s(value));
    }

    @Override
    public void merge(int family, byte[] key, byte[] value) throws RocksDBException {
        seeOrFail("merge " + family + " " + s(key) + " " + s(value));
    }

    @Override
    public void merge(byte[] key, byte[] value) {
        see("merge " + s(key) + " " + s(value));
    }

    @Override
    public void delete(int family, byte[] key) throws RocksDBException {
        seeOrFail("delete " + family + " " + s(key));
    }

    @Override
    public void delete(byte[] key) {
        see("delete " + s(key));
    }

    @Override
    public void singleDelete(int family, byte[] key) throws RocksDBException {
        seeOrFail("singleDelete " + family + " " + s(key));
    }

    @Override
    public void singleDelete(byte[] key) {
        see("singleDelete " + s(key));
    }

    @Override
    public void deleteRange(int family, byte[] begin, byte[] end) throws RocksDBException {
        seeOrFail("deleteRange " + family + " " + s(begin) + " " + s(end));
    }

    @Override
    public void deleteRange(byte[] begin, byte[] end) {
        see("deleteRange " + s(begin) + " " + s(end));
    }

    @Override
    public void logData(byte[] blob) {
        see("logData " + s(blob));
    }

    @Override
    public void putBlobIndex(int family, byte[] key, byte[] value) throws RocksDBException {
        seeOrFail("putBlobIndex " + family + " " + s(key) + " " + s(value));
    }

    @Override
    public void markBeginPrepare() throws RocksDBException {
        seeOrFail("markBeginPrepare");
    }

    @Override
    public void markEndPrepare(byte[] xid) throws RocksDBException {
        seeOrFail("markEndPrepare " + s(xid));
    }

    @Override
    public void markNoop(boolean emptyBatch) throws RocksDBException {
        seeOrFail("markNoop " + emptyBatch);
    }

    @Override
    public void markRollback(byte[] xid) throws RocksDBException {
        seeOrFail("markRollback " + s(xid));
    }

    @Override
    public void markCommit(byte[] xid) throws RocksDBException {
        seeOrFail("markCommit " + s(xid));
    }

    @Override
    public void markCommitWithTimestamp(byte[] xid, byte[] timestamp) throws RocksDBException {
        seeOrFail("markCommitWithTimestamp " + s(xid) + " " + s(timestamp));
    }

    @Override
    public boolean shouldContinue() {
        return seen.size() < most;
    }
}
