/**
 * Module {@code Mmap}: mapped buffers, and queues in the file format of 2015.
 *
 * <p>A class with {@code JRubyClass} is visible to Ruby: it checks and converts arguments, raises Ruby's errors, and leaves the work to a
 * class that does not depend on JRuby.
 */
@NullMarked
package dev.outcrop.jruby.mmap;

import org.jspecify.annotations.NullMarked;
