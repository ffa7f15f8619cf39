/** Calls all public methods of a package with good and bad arguments: the common part of such runs in several modules. */
@NullMarked
package dev.outcrop.testsupport.misuse;

import org.jspecify.annotations.NullMarked;
