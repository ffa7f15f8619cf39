/** Calls everything that is public in a package, with arguments good and bad: what such runs of several modules have in common. */
@NullMarked
package dev.outcrop.testsupport.misuse;

import org.jspecify.annotations.NullMarked;
