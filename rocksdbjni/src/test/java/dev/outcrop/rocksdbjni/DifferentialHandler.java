package dev.outcrop.rocksdbjni;

import java.util.List;
import org.rocksdb.WriteBatch;

/** Writes down what a batch has, up to a number of entries. */
final class DifferentialHandler extends WriteBatch.Handler {

    private final List<String> calls;
    private final int most;
    private final DifferentialText text;

    DifferentialHandler(List<String> calls, int most, DifferentialText text) {
        this.calls = calls;
        this.most = most;
        this.text = text;
    }

    private void add(String name, Object... arguments) {
        calls.add(name + text.of(arguments));
    }

    @Override
    public boolean shouldContinue() {
        return calls.size() < most;
    }

    @Override
    public void put(int family, byte[] key, byte[] value) {
        add("put", family, key, value);
    }

    @Override
    public void put(byte[] key, byte[] value) {
        add("put", key, value);
    }

    @Override
    public void merge(int family, byte[] key, byte[] value) {
        add("merge", family, key, value);
    }

    @Override
    public void merge(byte[] key, byte[] value) {
        add("merge", key, value);
    }

    @Override
    public void delete(int family, byte[] key) {
        add("delete", family, key);
    }

    @Override
    public void delete(byte[] key) {
        add("delete", (Object) key);
    }

    @Override
    public void singleDelete(int family, byte[] key) {
        add("singleDelete", family, key);
    }

    @Override
    public void singleDelete(byte[] key) {
        add("singleDelete", (Object) key);
    }

    @Override
    public void deleteRange(int family, byte[] from, byte[] to) {
        add("deleteRange", family, from, to);
    }

    @Override
    public void deleteRange(byte[] from, byte[] to) {
        add("deleteRange", from, to);
    }

    @Override
    public void logData(byte[] blob) {
        add("logData", (Object) blob);
    }

    @Override
    public void putBlobIndex(int family, byte[] key, byte[] value) {
        add("putBlobIndex", family, key, value);
    }

    @Override
    public void markBeginPrepare() {
        add("markBeginPrepare");
    }

    @Override
    public void markEndPrepare(byte[] xid) {
        add("markEndPrepare", (Object) xid);
    }

    @Override
    public void markNoop(boolean emptyBatch) {
        add("markNoop", emptyBatch);
    }

    @Override
    public void markRollback(byte[] xid) {
        add("markRollback", (Object) xid);
    }

    @Override
    public void markCommit(byte[] xid) {
        add("markCommit", (Object) xid);
    }

    @Override
    public void markCommitWithTimestamp(byte[] xid, byte[] timestamp) {
        add("markCommitWithTimestamp", xid, timestamp);
    }
}
