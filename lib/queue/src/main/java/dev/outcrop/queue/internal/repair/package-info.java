/**
 * The content of a queue that is not open. {@code Recovery} finds it when a queue is opened, {@code Repair} makes it whole, and
 * {@code Verification}, beside {@code QueueFiles}, describes it for users. They agree because they share how a segment is read:
 * {@code GapFiller} finds where a record should be but is not, and {@code RecordScanner} chooses the whole record behind the gap to go on
 * with. A verification must not change anything, and a repair puts what it takes out into quarantine first.
 */
@NullMarked
package dev.outcrop.queue.internal.repair;

import org.jspecify.annotations.NullMarked;
