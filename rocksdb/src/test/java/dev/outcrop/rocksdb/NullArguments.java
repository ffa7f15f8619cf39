package dev.outcrop.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.lang.reflect.Method;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Calls every method of an object with null for each of its parameters. */
final class NullArguments {
    private NullArguments() {
    }

    static void checkAll(Class<?> type, Object target, SampleArguments samples) {
        int checked = 0;
        for (Method method : Stream.of(type.getMethods()).filter(each -> each.getDeclaringClass() == type).toList()) {
            for (int i = 0; i < method.getParameterCount(); i++) {
                if (method.getParameterTypes()[i].isPrimitive()) {
                    continue;
                }
                @Nullable
                Object[] arguments = samples.of(method);
                arguments[i] = null;
                assertThat(catchThrowable(() -> method.invoke(target, arguments)))
                        .as("%s, argument %d null", method, i).hasCauseInstanceOf(NullPointerException.class);
                checked++;
            }
        }
        assertThat(checked).isPositive();
    }
}
