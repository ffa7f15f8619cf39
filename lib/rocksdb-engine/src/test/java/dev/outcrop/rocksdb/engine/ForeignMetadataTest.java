package dev.outcrop.rocksdb.engine;

import dev.outcrop.testsupport.ClassPath;
import dev.outcrop.testsupport.ForeignMetadata;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The jar's metadata for GraalVM names exactly the functions that it links and the call-backs that it makes. */
@EnabledOnOs(OS.LINUX)
@Tag("verify")
class ForeignMetadataTest {
    @Test
    void isWhatTheModuleLinks(@TempDir Path directory) throws Exception {
        ForeignMetadata.verify("outcrop-rocksdb-engine", ClassPath.placeOf(NativeCall.class), directory);
    }
}
