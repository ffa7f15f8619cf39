package dev.outcrop.queue;

/** Visits records that {@link Consumer#visit(int, RecordVisitor)} shows, one after the other. */
@FunctionalInterface
public interface RecordVisitor {
    /**
     * Visits a record. To acknowledge it, call {@link Consumer#acknowledge(long)}, here or later: returning does not.
     *
     * @param record the same object for all records: it ends when this returns, or shows the next one then
     */
    void visit(RecordView record);
}
