package dev.outcrop.queue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.RecordComponent;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Java records as C structs. One method handle reads a record, and one writes it; this class is a record itself, so the JIT compiler takes
 * its fields for constants.
 *
 * @param <R>      type of the records
 * @param type     of the records
 * @param size     bytes, with the padding behind the last component
 * @param isPadded whether there are bytes that belong to no component
 * @param reader   (segment) to record
 * @param writer   (segment, record)
 */
record RecordCodec<R extends Record>(Class<R> type, long size, boolean isPadded, MethodHandle reader,
        MethodHandle writer)
        implements
            Codec<R> {
    private static final Map<Class<?>, ValueLayout> PRIMITIVES = Map.of(
            boolean.class, ValueLayout.JAVA_BOOLEAN,
            byte.class, ValueLayout.JAVA_BYTE,
            short.class, ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN),
            char.class, ValueLayout.JAVA_CHAR_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN),
            int.class, ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN),
            float.class, ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN),
            long.class, ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN),
            double.class, ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN));

    private static final MethodHandle REQUIRE_NON_NULL = requireNonNull();

    private static MethodHandle requireNonNull() {
        try {
            return MethodHandles.lookup().findStatic(Objects.class, "requireNonNull",
                    MethodType.methodType(Object.class, Object.class, String.class));
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("Objects.requireNonNull", e);
        }
    }

    static <R extends Record> RecordCodec<R> of(MethodHandles.Lookup lookup, Class<R> type) {
        if (!type.isRecord()) {
            throw new IllegalArgumentException(type + " is not a record");
        }
        Struct struct = Struct.of(lookup, type, null);
        return new RecordCodec<>(type, struct.size, struct.used < struct.size,
                struct.reader(0).asType(MethodType.methodType(Record.class, MemorySegment.class)),
                struct.writer(0).asType(MethodType.methodType(void.class, MemorySegment.class, Record.class)));
    }

    @Override
    public long size(R value) {
        return size;
    }

    @Override
    public void write(R value, MemorySegment to) {
        if (isPadded) {
            // Hides what lay there before.
            to.fill((byte) 0);
        }
        try {
            // Exact: to the compiler, a value of type R is a Record.
            writer.invokeExact(to, value);
        } catch (Throwable e) {
            throw thrown(e);
        }
    }

    @Override
    public R read(MemorySegment from) {
        Codecs.requireSize(from, size, "record of " + type);
        try {
            return type.cast((Record) reader.invokeExact(from));
        } catch (Throwable e) {
            throw thrown(e);
        }
    }

    /** Throws what a record's constructor or accessor has thrown. */
    private RuntimeException thrown(Throwable e) {
        if (e instanceof RuntimeException runtime) {
            throw runtime;
        }
        if (e instanceof Error error) {
            throw error;
        }
        return new QueueException(type + " has thrown " + e, e);
    }

    @Override
    public String toString() {
        return "the codec of " + type;
    }

    /** The layout of a record in memory. */
    private static final class Struct {
        private final MethodHandles.Lookup lookup;
        private final Class<?> type;
        /** The struct with this as a component. */
        private final @Nullable Struct outer;
        private final List<Field> fields = new ArrayList<>();
        private long alignment = 1;
        private long size;
        /** Bytes of components. */
        private long used;

        /** A component: of a primitive type with its layout, or a struct. */
        private record Field(RecordComponent component, long offset, @Nullable ValueLayout layout,
                @Nullable Struct struct) {
        }

        private Struct(MethodHandles.Lookup lookup, Class<?> type, @Nullable Struct outer) {
            this.lookup = lookup;
            this.type = type;
            this.outer = outer;
        }

        static Struct of(MethodHandles.Lookup lookup, Class<?> type, @Nullable Struct outer) {
            Struct struct = new Struct(lookup, type, outer);
            for (RecordComponent component : type.getRecordComponents()) {
                struct.add(component);
            }
            struct.size = roundUp(struct.size, struct.alignment);
            return struct;
        }

        private void add(RecordComponent component) {
            Class<?> of = component.getType();
            ValueLayout layout = PRIMITIVES.get(of);
            requireNotInside(component);
            Struct nested = of.isRecord() ? of(lookup, of, this) : null;
            if (layout == null && nested == null) {
                throw new IllegalArgumentException("Component " + component.getName() + " of " + type.getName()
                        + " is a "
                        + of.getTypeName()
                        + ", which has no fixed size. Components must be of primitive types, or records of such;"
                        + " for others write a Codec, or use Codec.of with a library");
            }
            long fieldSize = layout != null ? layout.byteSize() : Objects.requireNonNull(nested).size;
            long fieldAlignment = layout != null ? layout.byteSize() : Objects.requireNonNull(nested).alignment;
            long offset = roundUp(size, fieldAlignment);
            fields.add(new Field(component, offset, layout, nested));
            size = offset + fieldSize;
            used += nested != null ? nested.used : fieldSize;
            alignment = Math.max(alignment, fieldAlignment);
        }

        private void requireNotInside(RecordComponent component) {
            for (Struct around = this; around != null; around = around.outer) {
                if (around.type.equals(component.getType())) {
                    throw new IllegalArgumentException("Component " + component.getName() + " of " + type.getName()
                            + " makes " + around.type.getName()
                            + " a part of itself, so it has no fixed size. Write a Codec, or use Codec.of with a library");
                }
            }
        }

        private static long roundUp(long size, long multiple) {
            return size + multiple - 1 & -multiple;
        }

        /** (segment) to record, which begins at an offset. */
        MethodHandle reader(long at) {
            MethodHandle[] readers = new MethodHandle[fields.size()];
            for (int i = 0; i < readers.length; i++) {
                Field field = fields.get(i);
                readers[i] = field.struct != null
                        ? field.struct.reader(at + field.offset)
                        : access(field, VarHandle.AccessMode.GET, at);
            }
            MethodHandle constructor = constructor();
            if (readers.length == 0) {
                return MethodHandles.dropArguments(constructor, 0, MemorySegment.class);
            }
            // All of them read the same segment.
            return MethodHandles.permuteArguments(MethodHandles.filterArguments(constructor, 0, readers),
                    MethodType.methodType(type, MemorySegment.class), new int[readers.length]);
        }

        /** (segment, record) to nothing. */
        MethodHandle writer(long at) {
            MethodHandle all = MethodHandles.empty(MethodType.methodType(void.class, MemorySegment.class, type));
            for (int i = fields.size() - 1; i >= 0; i--) {
                Field field = fields.get(i);
                MethodHandle set = field.struct != null
                        ? field.struct.writer(at + field.offset)
                        : access(field, VarHandle.AccessMode.SET, at);
                all = MethodHandles.foldArguments(all,
                        MethodHandles.filterArguments(set, 1, accessor(field)));
            }
            return all;
        }

        /** (segment) to value, or (segment, value). */
        private static MethodHandle access(Field field, VarHandle.AccessMode mode, long at) {
            VarHandle handle = Objects.requireNonNull(field.layout).varHandle();
            return MethodHandles.insertArguments(handle.toMethodHandle(mode), 1, at + field.offset);
        }

        private MethodHandle accessor(Field field) {
            RecordComponent component = field.component;
            MethodHandle get;
            try {
                get = lookup.unreflect(component.getAccessor());
            } catch (IllegalAccessException e) {
                throw noAccess(e);
            }
            if (field.struct == null) {
                return get;
            }
            MethodHandle check = MethodHandles.insertArguments(REQUIRE_NON_NULL, 1, "Component " + component.getName()
                    + " of " + type.getName() + " is null; a struct has no place for that");
            return MethodHandles.filterReturnValue(get,
                    check.asType(MethodType.methodType(component.getType(), component.getType())));
        }

        private MethodHandle constructor() {
            Class<?>[] types = Arrays.stream(type.getRecordComponents()).map(RecordComponent::getType)
                    .toArray(Class<?>[]::new);
            try {
                return lookup.findConstructor(type, MethodType.methodType(void.class, types));
            } catch (NoSuchMethodException | IllegalAccessException e) {
                throw noAccess(e);
            }
        }

        private IllegalArgumentException noAccess(ReflectiveOperationException e) {
            return new IllegalArgumentException("The lookup " + lookup + " has no access to " + type.getName()
                    + "; call MethodHandles.lookup() in a class that can make such records itself", e);
        }
    }
}
