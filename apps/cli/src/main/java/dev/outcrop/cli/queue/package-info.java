/**
 * {@code ./outcrop queue}: looks into queues, sees to their files, and appends to them; one class a command, on the public API of the
 * module {@code queue}.
 */
@NullMarked
package dev.outcrop.cli.queue;

import org.jspecify.annotations.NullMarked;
