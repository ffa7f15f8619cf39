package dev.outcrop.rocksdbjni;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outcrop.testsupport.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every user finds the library; where it is missing, each use says why. */
@Tag("verify")
class StartTest extends DatabaseTest {
    /** The numbers are those that containers start programs as; neither has a home. */
    @ParameterizedTest
    @ValueSource(strings = {"65534", "4711"})
    void userWithoutHomeStarts(String user) throws Exception {
        assumeTrue(
                (int) Files.getAttribute(directory, "unix:uid") == 0 && Files.isExecutable(Path.of("/usr/bin/setpriv")),
                "only root, with setpriv, can start a program as another user");
        List<Path> code = Arrays.stream(System.getProperty("java.class.path").split(":", -1)).map(Path::of)
                .filter(entry -> entry.toString().contains("outcrop") || Files.isDirectory(entry)).toList();
        for (Path entry : code) {
            assumeTrue(canBeReadByAll(entry), "only root may read " + entry);
        }
        Path temporary = Files.createTempDirectory("outcrop-start");
        try {
            Files.setAttribute(temporary, "unix:mode", 01777);
            ChildJvm.Result result = homeless(temporary)
                    .startedBy("setpriv", "--reuid=" + user, "--regid=" + user, "--clear-groups")
                    .onlyClassPath(code).run(FirstUses.class);
            assertThat(result.output()).isEqualTo("all works\n");
            assertThat(temporary).isEmptyDirectory();
        } finally {
            Files.delete(temporary);
        }
    }

    @Test
    void readOnlyRootIsNoObstacle() throws Exception {
        assumeTrue(ChildJvm.canHaveDisk(), "this user may not mount a file system");
        ChildJvm.Result result = homeless(directory).startedBy("unshare", "--mount", "sh", "-e", "-c",
                "mount -t tmpfs -o mode=1777 tmpfs \"$1\"; mount -o remount,bind,ro /; shift; exec \"$@\"", "sh",
                directory.toString()).run(FirstUses.class);
        assertThat(result.output()).isEqualTo("all works\n");
    }

    @Test
    void variableOfThePublishedJarNamesTheDirectory() throws Exception {
        Path told = Files.createDirectory(directory.resolve("told"));
        ChildJvm child = ChildJvm.shortLived();
        assertThat(child.environment("ROCKSDB_SHAREDLIB_DIR", told).run(FirstUses.class).output())
                .isEqualTo("all works\n");
        assertThat(told).isEmptyDirectory();
        assertThat(child.environment("ROCKSDB_SHAREDLIB_DIR", told + "/missing").run(FirstUses.class).output().lines())
                .hasSize(23).endsWith("22 failed").first().asString()
                .contains("UnsatisfiedLinkError", "ROCKSDB_SHAREDLIB_DIR names '" + told + "/missing'");
    }

    @Test
    void eachUseSaysWhyThereIsNoLibrary() throws Exception {
        Path missing = directory.resolve("missing.so");
        List<String> lines = ChildJvm.shortLived().option("-Doutcrop.rocksdb.library=" + missing).run(FirstUses.class)
                .output()
                .lines().toList();
        assertThat(lines).hasSize(23).endsWith("22 failed");
        assertThat(lines.subList(0, 22))
                .allSatisfy(line -> assertThat(line).startsWith("failed: UnsatisfiedLinkError: ")
                        .contains("outcrop.rocksdb.library", missing.toString(), "not a file"));
    }

    @Test
    void eachUseSaysThatTheJvmDeniesNativeAccess() throws Exception {
        List<String> lines = ChildJvm.bare().option("--illegal-native-access=deny").run(FirstUses.class).output()
                .lines().toList();
        assertThat(lines).hasSize(23).endsWith("22 failed");
        assertThat(lines.subList(0, 22))
                .allSatisfy(line -> assertThat(line).contains("--enable-native-access=ALL-UNNAMED")
                        .doesNotContain("NoClassDefFound"));
    }

    private static ChildJvm homeless(Path temporary) {
        return ChildJvm.shortLived().withoutEnvironment("XDG_CACHE_HOME").withoutEnvironment("HOME")
                .withoutEnvironment("ROCKSDB_SHAREDLIB_DIR").option("-Djava.io.tmpdir=" + temporary)
                .option("-Duser.home=/nonexistent");
    }

    private static boolean canBeReadByAll(Path file) throws IOException {
        for (Path one = file.toRealPath(); one != null; one = one.getParent()) {
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(one);
            if (!permissions.contains(PosixFilePermission.OTHERS_READ)
                    || (Files.isDirectory(one) && !permissions.contains(PosixFilePermission.OTHERS_EXECUTE))) {
                return false;
            }
        }
        return true;
    }
}
