package dev.outcrop.queue;

/** Looks at records by {@link Consumer#visit(int, RecordVisitor)}, one after the other. */
@FunctionalInterface
public interface RecordVisitor {
    /**
     * Looks at a record. To say that it is done, call {@link Consumer#acknowledge(long)}, here or later: returning does not.
     *
     * @param record the same object for all records: it ends when this returns, or shows the next one then
     */
    void visit(RecordView record);
}
