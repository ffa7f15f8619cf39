/**
 * The classes of the gem {@code outcrop}, as JRuby loads them. They are for Ruby programs; Java programs use {@code dev.outcrop.queue}.
 *
 * <p>A class with {@code JRubyClass} is what Ruby sees: it checks and converts arguments, turns failures into Ruby errors, and
 * leaves the work to a class that knows nothing of Ruby.
 */
@NullMarked
package dev.outcrop.jruby;

import org.jspecify.annotations.NullMarked;
