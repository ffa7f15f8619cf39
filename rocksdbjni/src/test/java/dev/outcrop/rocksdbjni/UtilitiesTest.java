package dev.outcrop.rocksdbjni;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.NativeLibraryLoader;

/** The utilities return what those of the published jar return. */
class UtilitiesTest {

    @TempDir
    Path directory;

    @Tag("verify")
    @Test
    void utilitiesReturnWhatThePublishedOnesDo() throws Exception {
        assertThat(UtilitiesReport.report()).isEqualTo(PublishedJvm.run(UtilitiesReport.class, directory))
                .hasSizeGreaterThan(30);
    }

    @Test
    void theLibraryIsLoadedFromAnywhere() throws IOException {
        NativeLibraryLoader.getInstance().loadLibrary(null);
        assertThat(NativeLibraryLoader.getInstance()).isSameAs(NativeLibraryLoader.getInstance());
    }
}
