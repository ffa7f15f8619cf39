package dev.outcrop.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.testsupport.ClassPath;
import dev.outcrop.testsupport.ForeignMetadata;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The module makes all native calls through the engine, so its jar has nothing to say to GraalVM. */
@EnabledOnOs(OS.LINUX)
@Tag("verify")
class ForeignMetadataTest {
    @Test
    void linksNothingItself(@TempDir Path directory) throws Exception {
        assertThat(ForeignMetadata.linked(ClassPath.placeOf(RocksDB.class), directory)).doesNotContain("call ");
    }
}
