/** {@code Outcrop::Queue} and related classes, on {@code dev.outcrop.queue}. */
@NullMarked
package dev.outcrop.jruby.queue;

import org.jspecify.annotations.NullMarked;
