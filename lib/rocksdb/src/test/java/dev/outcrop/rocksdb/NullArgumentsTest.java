package dev.outcrop.rocksdb;

import java.lang.foreign.Arena;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** All public methods refuse null for each parameter, and in lists and maps, name the parameter, and have no effect. */
class NullArgumentsTest extends DatabaseTest {
    private final List<Object> objects = new ArrayList<>();
    private final Set<String> checked = new HashSet<>();
    private final Set<String> types = new TreeSet<>();
    private final Set<String> withoutObject = new TreeSet<>();
    private final Set<String> wrong = new TreeSet<>();

    /** With the key that methods are called with in the database, and without it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void parameterIsNamed(boolean isKeyThere) throws Exception {
        Options options = create().mergeOperator(MergeOperator.STRING_APPEND).enableStatistics();
        BackupEngineOptions backupOptions = new BackupEngineOptions(directory.resolve("backups"));
        try (RocksDB db = RocksDB.open(directory.resolve("plain"), options);
                TransactionDB locking = TransactionDB.open(directory.resolve("locking"), options);
                OptimisticTransactionDB optimistic = OptimisticTransactionDB.open(directory.resolve("optimistic"),
                        options);
                Transaction transaction = locking.begin();
                Transaction other = optimistic.begin();
                WriteBatchWithIndex indexed = new WriteBatchWithIndex(db, true);
                KeyValueIterator iterator = db.iterator();
                Snapshot snapshot = db.snapshot();
                MultiGet request = db.multiGet();
                SstFileWriter files = new SstFileWriter(directory.resolve("a.sst"), options);
                BackupEngine backups = BackupEngine.open(backupOptions);
                PerfContext perf = PerfContext.start(PerfLevel.ENABLE_COUNT);
                Arena call = Arena.ofConfined();
                Replayer replayer = replayer(db)) {
            ColumnFamily stamped = db.createColumnFamily("stamped",
                    new Options().set("comparator=leveldb.BytewiseComparator.u64ts"));
            WriteBatch batch = new WriteBatch();
            if (isKeyThere) {
                db.put(new byte[8], new byte[16]);
            }
            db.put(new byte[9], new byte[16]);
            request.add(new byte[9]);
            request.add(new byte[9]);
            objects.addAll(List.of(db, locking, optimistic, transaction, other, batch, indexed, iterator, snapshot,
                    request, files, backups, db.defaultColumnFamily(), db.backgroundWork(), db.tracing(), stamped, perf,
                    replayer,
                    request.execute(), Objects.requireNonNull(db.statistics()), new ValueSink(_ -> 0, call)));
            objects.addAll(List.of(db.with(new ReadOptions()), db.with(new WriteOptions()),
                    locking.with(new WriteOptions()), db.defaultColumnFamily().with(new WriteOptions()),
                    locking.defaultColumnFamily().with(new WriteOptions()), stamped.at(1), batch.in(stamped),
                    batch.in(stamped).at(1), indexed.in(stamped), transaction.in(locking.defaultColumnFamily()),
                    transaction.with(new ReadOptions())));
            objects.addAll(List.of(options, backupOptions, Env.defaultEnv(), Cache.lru(1000), KeyRange.all(),
                    MergeOperator.STRING_APPEND, SliceTransform.fixedPrefix(3), RateLimiter.of(1_000_000),
                    FilterPolicy.bloom(10), new HyperClockCacheOptions(1 << 20)));
            long before = db.latestSequenceNumber();
            long empty = batch.data().byteSize();
            for (Class<?> type : MisuseApi.publicTypes()) {
                check(type);
            }
            assertThat(db.latestSequenceNumber()).isEqualTo(before);
            assertThat(batch.count()).isZero();
            assertThat(batch.data().byteSize()).isEqualTo(empty);
            assertThat(transaction.changes().count()).isZero();
            assertThat(indexed.count()).isZero();
            assertThat(request.size()).isEqualTo(2);
        }
        System.out.println("Null for each of " + checked.size() + " parameters of " + types);
        assertThat(checked).hasSizeGreaterThan(1000);
        assertThat(withoutObject).isEmpty();
        assertThat(String.join("\n", wrong)).isEmpty();
    }

    /** Of a trace of nothing. */
    private Replayer replayer(RocksDB db) {
        Path file = directory.resolve("trace");
        db.tracing().start(file, new TraceOptions());
        db.tracing().end();
        return db.tracing().replayer(file);
    }

    private void check(Class<?> type) {
        for (Constructor<?> each : type.getConstructors()) {
            check(type, null, each);
        }
        for (Method method : type.getMethods()) {
            Method each = method.isBridge() ? bridged(type.getSuperclass(), method) : method;
            if (each == null || each.getParameterCount() == 0 || each.getDeclaringClass() == Object.class
                    || isGenerated(type, each)) {
                continue;
            }
            if (Modifier.isStatic(each.getModifiers())) {
                check(type, null, each);
                continue;
            }
            Collection<Object> targets = targets(type);
            if (targets.isEmpty()) {
                withoutObject.add(type.getSimpleName());
            }
            for (Object target : targets) {
                // Methods that users implement are theirs, except for those that have a default.
                if (!(target instanceof Proxy && Modifier.isAbstract(each.getModifiers()))) {
                    check(type, target, each);
                }
            }
        }
    }

    /**
     * The method that users call through a bridge, because its class is not public; null if the bridge stands for another result or
     * parameter type of a method that is tried itself.
     */
    private static @Nullable Method bridged(@Nullable Class<?> type, Method bridge) {
        for (Class<?> each = type; each != null
                && !Modifier.isPublic(each.getModifiers()); each = each.getSuperclass()) {
            for (Method method : each.getDeclaredMethods()) {
                if (!method.isBridge() && method.getName().equals(bridge.getName())
                        && Arrays.equals(method.getParameterTypes(), bridge.getParameterTypes())) {
                    return method;
                }
            }
        }
        return null;
    }

    /** Methods that the compiler makes: of enums, and of records. */
    private static boolean isGenerated(Class<?> type, Method method) {
        return method.getName().equals("equals")
                || (type.isEnum() && (method.getName().equals("valueOf") || method.getDeclaringClass() == Enum.class));
    }

    private void check(Class<?> type, @Nullable Object target, Executable executable) {
        Parameter[] parameters = executable.getParameters();
        AnnotatedType[] annotated = executable.getAnnotatedParameterTypes();
        for (int i = 0; i < parameters.length; i++) {
            Parameter parameter = parameters[i];
            if (parameter.getType().isPrimitive() || annotated[i].isAnnotationPresent(Nullable.class)) {
                continue;
            }
            @Nullable
            Object[] arguments = new @Nullable Object[parameters.length];
            for (int j = 0; j < parameters.length; j++) {
                arguments[j] = j == i ? null : object(parameters[j].getType());
                if (j != i && arguments[j] == null && !annotated[j].isAnnotationPresent(Nullable.class)) {
                    withoutObject.add(parameters[j].getType().getSimpleName());
                }
            }
            String name = name(target, executable) + " " + parameter.getName();
            checked.add(type.getSimpleName() + ": " + name);
            types.add(type.getSimpleName());
            Throwable thrown = thrown(executable, target, arguments);
            if (!(thrown instanceof NullPointerException
                    && names(parameter.getName(), String.valueOf(thrown.getMessage())))) {
                wrong.add(name + ": " + thrown);
            }
            // Methods that users implement ignore lists by default, and records are made by this library.
            arguments[i] = target instanceof Proxy || type.isRecord() ? null : withNull(parameter.getType());
            if (arguments[i] != null) {
                Throwable inside = thrown(executable, target, arguments);
                String expected = arguments[i] instanceof Map ? "the value of a" : "one of " + parameter.getName();
                if (!(inside instanceof NullPointerException) || !expected.equals(inside.getMessage())) {
                    wrong.add(name + " with null in it: " + inside);
                }
            }
        }
    }

    /** A collection with null in it; null for other types. */
    private static @Nullable Object withNull(Class<?> type) {
        return switch (type.getName()) {
            case "java.util.List", "java.util.Collection" -> Collections.singletonList(null);
            case "java.util.Set" -> Collections.singleton(null);
            case "java.util.Map" -> Collections.singletonMap("a", null);
            default -> null;
        };
    }

    /** The JVM names a parameter as well, if it is used before anything else happens. */
    private static boolean names(String parameter, String message) {
        return message.equals(parameter) || message.endsWith("because \"" + parameter + "\" is null");
    }

    /** The method that runs. */
    private static String name(@Nullable Object target, Executable executable) {
        Executable runs = executable;
        if (target != null && !(target instanceof Proxy)) {
            try {
                runs = target.getClass().getMethod(executable.getName(), executable.getParameterTypes());
            } catch (NoSuchMethodException e) {
                throw new AssertionError(e);
            }
        }
        return runs.getDeclaringClass().getSimpleName() + "." + runs.getName()
                + Arrays.stream(runs.getParameterTypes()).map(Class::getSimpleName).toList();
    }

    private static @Nullable Throwable thrown(Executable executable, @Nullable Object target,
            @Nullable Object[] arguments) {
        try {
            executable.setAccessible(true);
            Object result = executable instanceof Method method
                    ? method.invoke(target, arguments)
                    : ((Constructor<?>) executable).newInstance(arguments);
            if (result instanceof AutoCloseable closeable) {
                closeable.close();
            }
            return null;
        } catch (InvocationTargetException e) {
            return e.getCause();
        } catch (Exception e) {
            return e;
        }
    }

    /** An object of each class that is a type, or one that can be made. */
    private Collection<Object> targets(Class<?> type) {
        Set<Class<?>> classes = new LinkedHashSet<>();
        List<Object> targets = new ArrayList<>(
                objects.stream().filter(type::isInstance).filter(each -> classes.add(each.getClass())).toList());
        if (targets.isEmpty()) {
            Object made = object(type);
            if (made != null) {
                targets.add(made);
            }
        }
        return targets;
    }

    /** Any object of a type. */
    private @Nullable Object object(Class<?> type) {
        for (Object each : objects) {
            if (type.isInstance(each) && type != Object.class) {
                return each;
            }
        }
        if (type.isEnum()) {
            return type.getEnumConstants()[0];
        }
        return switch (type.getName()) {
            case "boolean" -> false;
            case "byte" -> (byte) 1;
            case "int" -> 1;
            case "long" -> 1L;
            case "double" -> 0.5;
            case "[B" -> new byte[8];
            case "java.lang.String", "java.lang.Object" -> "a";
            case "java.nio.file.Path" -> directory.resolve("path");
            case "java.lang.foreign.MemorySegment" -> Arena.global().allocate(8);
            case "java.nio.ByteBuffer" -> ByteBuffer.allocateDirect(8);
            case "java.time.Duration" -> Duration.ofDays(1);
            case "java.time.Instant" -> Instant.EPOCH;
            case "java.util.List", "java.util.Collection" -> List.of();
            case "java.util.Set" -> Set.of();
            case "java.util.Map" -> Map.of();
            default -> made(type);
        };
    }

    private @Nullable Object made(Class<?> type) {
        if (type.isInterface() && !type.isSealed()) {
            return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[]{type}, NullArgumentsTest::called);
        }
        for (Constructor<?> each : Stream.of(type.getConstructors())
                .sorted(Comparator.comparingInt(Constructor::getParameterCount)).toList()) {
            try {
                Object made = each.newInstance(Arrays.stream(each.getParameterTypes()).map(this::object).toArray());
                objects.add(made);
                return made;
            } catch (ReflectiveOperationException _) {
                // Another one may take what there is.
            }
        }
        return null;
    }

    private static @Nullable Object called(Object proxy, Method method, @Nullable Object[] arguments) throws Throwable {
        return method.isDefault() ? InvocationHandler.invokeDefault(proxy, method, arguments) : null;
    }
}
