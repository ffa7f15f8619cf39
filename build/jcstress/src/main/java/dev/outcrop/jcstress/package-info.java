/**
 * Claims about threads that meet, as jcstress tests. They run in {@code mvn verify}; a forbidden outcome fails the
 * build.
 *
 * <p>The object that a test guards is a plain Java field that stands for native memory: {@code 1} is alive, {@code 0}
 * is freed. Plain, so that a missing fence shows as well as a wrong order of steps does.
 */
@NullMarked
package dev.outcrop.jcstress;

import org.jspecify.annotations.NullMarked;
