package dev.outcrop.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Method;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The generated setters and getters, against the library. */
class OptionsSettersTest {

    static Stream<Object> objects() {
        return Stream.of(new Options().enableStatistics(), new ReadOptions(), new WriteOptions());
    }

    @ParameterizedTest
    @MethodSource("objects")
    void whatIsSetIsWhatIsReadBack(Object options) throws ReflectiveOperationException {
        Class<?> setters = options.getClass().getSuperclass();
        int checked = 0;
        for (Method getter : setters.getDeclaredMethods()) {
            Method setter = setterOf(getter, setters);
            if (setter == null) {
                continue;
            }
            Object value = otherThan(getter.invoke(options));

            assertThat(setter.invoke(options, value)).isSameAs(options);

            assertThat(getter.invoke(options)).as(getter.getName()).isEqualTo(value);
            checked++;
        }
        assertThat(checked).isGreaterThanOrEqualTo(options instanceof WriteOptions ? 5 : 20);
    }

    private static @Nullable Method setterOf(Method getter, Class<?> setters) {
        return getter.getParameterCount() > 0
                ? null
                : Stream.of(setters.getDeclaredMethods()).filter(method -> method.getName().equals(getter.getName()))
                        .filter(method -> method.getParameterCount() == 1
                                && method.getParameterTypes()[0] == getter.getReturnType())
                        .findFirst().orElse(null);
    }

    private static Object otherThan(Object value) {
        return switch (value) {
            case Boolean truth -> !truth;
            case Integer number -> number == 7 ? 3 : 7;
            case Long number -> number == 7 ? 3L : 7L;
            case Double number -> number == 0.25 ? 0.5 : 0.25;
            case String text -> text + "/grüße";
            case Enum<?> constant -> Stream.of(constant.getDeclaringClass().getEnumConstants())
                    .filter(other -> other != constant).findFirst().orElseThrow();
            default -> throw new AssertionError("no other value is known for " + value.getClass());
        };
    }

    @Test
    void aNegativeValueForAnUnsignedOptionIsRefusedWithItsName() {
        Options options = new Options();
        long before = options.writeBufferSize();

        assertThatThrownBy(() -> options.writeBufferSize(-1)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("write_buffer_size").hasMessageContaining("-1");
        assertThatThrownBy(() -> options.blockProtectionBytesPerKey(256)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("block_protection_bytes_per_key").hasMessageContaining("256");
        assertThat(options.writeBufferSize()).isEqualTo(before);
    }

    @Test
    void aNegativeValueWithAMeaningIsKept() {
        assertThat(new Options().ttl()).as("RocksDB's default").isEqualTo(-2);
        assertThat(new Options().ttl(60).ttl(-2).ttl()).isEqualTo(-2);
        assertThat(new ReadOptions().valueSizeSoftLimit(1).valueSizeSoftLimit(-1).valueSizeSoftLimit()).isEqualTo(-1);
        assertThatThrownBy(() -> new Options().ttl(-1)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("ttl").hasMessageContaining("-2").hasMessageContaining("-1");
    }

    @Test
    @SuppressWarnings("NullAway") // what a caller without such a check can do
    void aTextThatCWouldCutAndNoTextAreRefused() {
        assertThatThrownBy(() -> new Options().walDir("/tmp\0/x")).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("wal_dir").hasMessageContaining("NUL");
        assertThatThrownBy(() -> new Options().walDir(null)).isInstanceOf(NullPointerException.class);
    }

    @Test
    void anIntThatIsATruthInRocksDbIsABoolean() {
        assertThat(new WriteOptions().disableWAL(true).disableWAL()).isTrue();
        assertThat(new Options().useFsync(true).useFsync()).isTrue();
    }
}
