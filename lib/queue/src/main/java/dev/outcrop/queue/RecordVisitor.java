package dev.outcrop.queue;

/** Visits records that {@link Consumer#visit(int, RecordVisitor)} shows, one after the other. */
@FunctionalInterface
public interface RecordVisitor {
    /**
     * Visits a record. Returning does not acknowledge it: call {@link Consumer#acknowledge(long)}, here or later.
     *
     * @param record the same object for all records: when this method returns, it shows the next record, or none
     */
    void visit(RecordView record);
}
