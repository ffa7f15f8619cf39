package dev.outcrop.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SettingsTest {
    private final java.util.Properties before = (java.util.Properties) System.getProperties().clone();

    private record Inner(Path path, Duration time) {
    }

    private record Outer(String name, int count, long bytes, boolean isCold, TimeUnit unit, Inner inner,
            @Nullable Path missing) {
    }

    private record Other(String surname) {
    }

    @AfterEach
    void restore() {
        System.setProperties(before);
    }

    @Test
    void aRecordIsTheSameInTheOtherJvm() {
        Outer settings = new Outer("a=b;c", 3, 1L << 40, true, TimeUnit.DAYS,
                new Inner(Path.of("/some where"), Duration.ofMillis(150)), null);

        for (String argument : Settings.define(settings)) {
            String[] property = argument.substring("-D".length()).split("=", 2);
            System.setProperty(property[0], property[1]);
        }

        assertThat(Settings.current(Outer.class)).isEqualTo(settings);
    }

    @Test
    void onlyNullableComponentsMayBeMissing() {
        assertThatThrownBy(() -> Settings.current(Other.class)).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("outcrop.benchmarks.surname");
    }
}
