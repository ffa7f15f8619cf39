package dev.outcrop.pipeline;

import dev.outcrop.queue.RecordView;
import dev.outcrop.rocksdb.ColumnFamily;
import dev.outcrop.rocksdb.WriteBatch;
import org.jspecify.annotations.Nullable;

/** Has records mapped into the batch that is filled, so that one that fails leaves nothing of itself. For one thread. */
final class Mapping {
    private final RecordViewMapper mapper;
    private final Batches batches;
    private final RecordWrites writes;

    Mapping(RecordViewMapper mapper, Batches batches, ColumnFamily defaultFamily) {
        this.mapper = mapper;
        this.batches = batches;
        this.writes = new RecordWrites(batches, defaultFamily);
    }

    /**
     * Maps a record.
     *
     * @return why it cannot be mapped; null if it was
     * @throws PipelineException if that says nothing about the record: the pipeline cannot go on with it, or with any other one
     */
    @Nullable
    Exception map(RecordView record) {
        WriteBatch batch = batches.filling().writes;
        batch.setSavePoint();
        Exception refusal = null;
        writes.begin();
        try {
            mapper.map(record, writes);
        } catch (InterruptedException e) {
            throw new PipelineException("The mapper was interrupted at record " + record.offset()
                    + ". Start the pipeline again: nothing of this record was written", e);
        } catch (Exception e) {
            refusal = e;
        } finally {
            writes.end();
        }
        if (refusal == null) {
            batch.popSavePoint();
        } else {
            batch.rollbackToSavePoint();
        }
        return refusal;
    }
}
