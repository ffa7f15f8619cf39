/** Support for the classes of {@code org.rocksdb}, not for programs. */
@NullMarked
package dev.outcrop.rocksdbjni;

import org.jspecify.annotations.NullMarked;
