/** The common part of runs, in several modules, that call all public methods of a package with good and bad arguments. */
@NullMarked
package dev.outcrop.testsupport.misuse;

import org.jspecify.annotations.NullMarked;
