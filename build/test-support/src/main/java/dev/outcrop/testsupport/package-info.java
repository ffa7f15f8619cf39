/** Support for the tests of several modules. It depends on no other module, so all of them can use it. */
@NullMarked
package dev.outcrop.testsupport;

import org.jspecify.annotations.NullMarked;
