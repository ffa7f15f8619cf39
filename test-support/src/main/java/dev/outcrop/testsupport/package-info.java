/** What the tests of several modules need. Depends on no other module, so that all of them can use it. */
@NullMarked
package dev.outcrop.testsupport;

import org.jspecify.annotations.NullMarked;
