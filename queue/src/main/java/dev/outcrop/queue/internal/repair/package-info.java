/**
 * What is in the files of a queue that is not open: {@code Recovery} finds it when a queue is opened, and {@code Repair} makes it
 * whole. {@code Verification}, beside {@code QueueFiles}, tells users all of it. They agree because they share how a segment is read: {@code GapFiller} says where a record should be and
 * is none, and {@code RecordScanner} with which of the whole records behind that to go on. A verification must not change anything, and a
 * repair puts what it takes out into quarantine before.
 */
@NullMarked
package dev.outcrop.queue.internal.repair;

import org.jspecify.annotations.NullMarked;
