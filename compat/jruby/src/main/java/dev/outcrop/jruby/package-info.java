/**
 * The extension that JRuby loads for the gem {@code outcrop}. It is for Ruby programs; Java programs use {@code dev.outcrop.queue}.
 *
 * <p>{@code mmap} and {@code queue} do not depend on each other; both use {@code common}.
 */
@NullMarked
package dev.outcrop.jruby;

import org.jspecify.annotations.NullMarked;
