/** What the classes of {@code org.rocksdb} share, and programs do not use. */
@NullMarked
package dev.outcrop.rocksdbjni;

import org.jspecify.annotations.NullMarked;
