/** {@code Outcrop::Queue} and its relatives, on {@code dev.outcrop.queue}. */
@NullMarked
package dev.outcrop.jruby.queue;

import org.jspecify.annotations.NullMarked;
