/** Parts of both kinds of queues: waiting threads of Ruby, and Ruby's strings. */
@NullMarked
package dev.outcrop.jruby.common;

import org.jspecify.annotations.NullMarked;
