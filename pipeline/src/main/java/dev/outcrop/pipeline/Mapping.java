package dev.outcrop.pipeline;

import dev.outcrop.rocksdb.RocksDBException;
import dev.outcrop.rocksdb.WriteBatch;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Has records mapped into a batch so that one that fails leaves nothing of itself, and no mapper takes out what others have added. For one thread. */
final class Mapping {
    private final RecordMapper mapper;
    private final WriteBatch batch;

    Mapping(RecordMapper mapper, WriteBatch batch) {
        this.mapper = mapper;
        this.batch = batch;
    }

    /**
     * Maps a record.
     *
     * @return why it cannot be mapped; null if it was
     * @throws PipelineException if that says nothing about the record: the pipeline cannot go on with it, or with any other one
     */
    @Nullable
    Exception map(long offset, MemorySegment payload) {
        long before = batch.byteSize();
        batch.setSavePoint();
        Exception refusal = null;
        try {
            mapper.map(offset, payload, batch);
        } catch (InterruptedException e) {
            throw new PipelineException("The mapper was interrupted at record " + offset
                    + ". Start the pipeline again: nothing of this record was written", e);
        } catch (Exception e) {
            refusal = e;
        }
        if (batch.byteSize() < before || !endSavePoint(refusal == null)) {
            throw new PipelineException("The mapper has taken out of the batch what was in it before record " + offset
                    + ", with clear(), or with a save point that is not its own. A mapper only adds. Nothing of that batch was written;"
                    + " start the pipeline again with another mapper");
        }
        if (refusal != null) {
            rollBack(before, offset);
        }
        return refusal;
    }

    /** Whether the save point is still there, which a mapper that has cleared the batch has taken. It stays for one that is to be rolled back. */
    private boolean endSavePoint(boolean isMapped) {
        try {
            if (isMapped) {
                batch.popSavePoint();
            }
            return true;
        } catch (RocksDBException e) {
            return false;
        }
    }

    /** The mapper may have left save points of its own in front of ours. */
    private void rollBack(long before, long offset) {
        try {
            do {
                batch.rollbackToSavePoint();
            } while (batch.byteSize() > before);
        } catch (RocksDBException e) {
            throw new PipelineException(
                    "The mapper has forgotten a save point of the batch that is not its own, at record " + offset
                            + ", and has failed. Nothing of that batch was written; start the pipeline again with another mapper",
                    e);
        }
    }
}
