/** Programs that tests run in JVMs of their own. They use what users can use, and nothing else. */
@NullMarked
package dev.outcrop.programs;

import org.jspecify.annotations.NullMarked;
