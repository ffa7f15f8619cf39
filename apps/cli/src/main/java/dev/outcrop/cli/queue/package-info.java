/**
 * {@code ./outcrop queue}: looks into queues, checks and repairs their files, and appends to them. There is one class for each command. It
 * uses the public API of the module {@code queue}.
 */
@NullMarked
package dev.outcrop.cli.queue;

import org.jspecify.annotations.NullMarked;
