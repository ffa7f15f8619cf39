package dev.outcrop.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeReadOptions;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A copy of read options has all that can be set. */
class ReadOptionsCopyTest {
    private static final String SET = "rocksdb_readoptions_set_";
    private static final String GET = "rocksdb_readoptions_get_";
    /** Settings that {@link ReadOptions} repeats for a copy, and those that RocksDB sets itself. */
    private static final Set<String> NOT_COPIED = Set.of("snapshot", "iterate_upper_bound", "iterate_lower_bound",
            "timestamp", "iter_start_ts", "request_id", "table_filter", "table_index_factory_from_string");

    private static Object value(Class<?> type) {
        return type == byte.class ? (Object) (byte) 1 : type == int.class ? (Object) 1 : 7L;
    }

    @Test
    void hasEveryOption() throws Exception {
        new ReadOptions();
        Map<String, Method> functions = Stream.of(CApi.class.getMethods())
                .filter(method -> Modifier.isStatic(method.getModifiers()))
                .collect(Collectors.toMap(Method::getName, method -> method));
        long from = CApi.rocksdb_readoptions_create();
        long to = CApi.rocksdb_readoptions_create();
        int checked = 0;
        for (String name : functions.keySet().stream().filter(name -> name.startsWith(SET)).sorted().toList()) {
            String option = name.substring(SET.length());
            if (NOT_COPIED.contains(option)) {
                continue;
            }
            Method setter = Objects.requireNonNull(functions.get(name));
            Method getter = Objects.requireNonNull(functions.get(GET + option), option);
            Object before = getter.invoke(null, from);
            Object after = value(setter.getParameterTypes()[1]);
            if (after.equals(before)) {
                after = setter.getParameterTypes()[1] == byte.class ? (Object) (byte) 0 : (Object) 2;
            }
            setter.invoke(null, from, after);
            assertThat(getter.invoke(null, to)).as(option).isNotEqualTo(after);
            try (Scratch scratch = ApiCall.scratch()) {
                NativeReadOptions.copy(scratch, from, to);
                ApiCall.check(scratch);
            }
            assertThat(getter.invoke(null, to)).as(option).isEqualTo(after);
            checked++;
        }
        assertThat(checked).isGreaterThan(20);
        CApi.rocksdb_readoptions_destroy(from);
        CApi.rocksdb_readoptions_destroy(to);
    }
}
