package dev.outcrop.codegen.capi;

import dev.outcrop.codegen.capi.CompiledClass.ByName;
import dev.outcrop.codegen.capi.CompiledClass.Creation;
import dev.outcrop.codegen.capi.CompiledClass.Direct;
import dev.outcrop.codegen.capi.CompiledClass.Initialization;
import dev.outcrop.codegen.capi.CompiledClass.Method;
import dev.outcrop.codegen.capi.CompiledClass.Use;
import dev.outcrop.codegen.capi.CompiledClass.Virtual;
import java.io.IOException;
import java.lang.invoke.MethodType;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The methods of a target class that the public API of a package reaches.
 *
 * <p>The analysis starts from every public and protected member of the package's public types. A call of a method that can be overridden
 * also reaches the overriding methods of each class that reached code instantiates (rapid type analysis: Bacon, Sweeney, "Fast
 * Static Analysis of C++ Virtual Function Calls", OOPSLA 1996). A lambda or method reference counts as called where it is made. A method
 * that overrides a method of an unknown class, such as {@code Runnable.run}, counts as called where an object of its class is made, because
 * unknown code may call it. Each branch of a reached method counts.
 */
final class CallGraph {

    private final Map<String, CompiledClass> classes;
    private final String apiPackage;
    private final String target;

    private final Deque<Method> work = new ArrayDeque<>();
    /** The reached methods, with the methods that each leads to. */
    private final Map<Method, Set<Method>> edges = new LinkedHashMap<>();
    /** The methods of the target that each reached method uses. */
    private final Map<Method, Set<String>> hits = new LinkedHashMap<>();
    /** Members of the public API, as a user writes them. */
    private final Map<Method, String> members = new LinkedHashMap<>();
    private final Map<Virtual, Set<Method>> callers = new LinkedHashMap<>();
    private final Set<CompiledClass> created = new LinkedHashSet<>();

    private CallGraph(Map<String, CompiledClass> classes, String apiPackage, String target) {
        this.classes = classes;
        this.apiPackage = apiPackage;
        this.target = target;
        for (CompiledClass type : classes.values()) {
            if (isPublic(type)) {
                enter(type);
            }
        }
        while (!work.isEmpty()) {
            Method method = work.remove();
            method.uses().forEach(use -> follow(use, method));
        }
    }

    /**
     * Returns the methods of the target that are reached.
     *
     * @param directories the compiled classes
     * @param apiPackage  the package whose public types are the API, with slashes
     * @param target      the target class, with slashes; its code is not analysed
     * @return their names, each with the nearest member of the API
     */
    static Map<String, String> reached(List<Path> directories, String apiPackage, String target) throws IOException {
        return new CallGraph(classes(directories, target), apiPackage, target).nearestMembers();
    }

    private static Map<String, CompiledClass> classes(List<Path> directories, String except) throws IOException {
        Map<String, CompiledClass> classes = new TreeMap<>();
        for (Path directory : directories) {
            classes.putAll(CompiledClass.readAll(directory, except));
        }
        return classes;
    }

    /** Searches breadth-first from all members of the API at once: the first member to arrive is the nearest. */
    private Map<String, String> nearestMembers() {
        Map<Method, String> nearest = new LinkedHashMap<>();
        Deque<Method> next = new ArrayDeque<>();
        members.entrySet().stream().sorted(Map.Entry.comparingByValue()).forEach(member -> {
            nearest.put(member.getKey(), member.getValue());
            next.add(member.getKey());
        });
        Map<String, String> found = new TreeMap<>();
        while (!next.isEmpty()) {
            Method method = next.remove();
            String member = nearest.getOrDefault(method, "");
            hits.getOrDefault(method, Set.of()).forEach(hit -> found.putIfAbsent(hit, member));
            for (Method callee : edges.getOrDefault(method, Set.of())) {
                if (nearest.putIfAbsent(callee, member) == null) {
                    next.add(callee);
                }
            }
        }
        return found;
    }

    /** Returns whether users can name the type. Public types of other packages are only for the module itself. */
    private boolean isPublic(@Nullable CompiledClass type) {
        return type != null && type.isVisible()
                && type.name().substring(0, type.name().lastIndexOf('/')).equals(apiPackage)
                && (type.outer().isEmpty() || isPublic(classes.get(type.outer())));
    }

    private void enter(CompiledClass type) {
        reachMember(type, type.methods().get("<clinit>()V"));
        for (Method method : visibleMethods(type)) {
            if (method.isStatic()) {
                reachMember(type, method);
            } else if (method.owner().equals(type.name()) && method.name().equals("<init>")) {
                create(type, null); // a protected one is for subclasses; their objects are of this type too
                reachMember(type, method);
            }
        }
        if (type.isInterface() && !type.isSealed()) {
            create(type, null); // users implement it
        }
    }

    private void reachMember(CompiledClass type, @Nullable Method method) {
        if (method != null) {
            members.putIfAbsent(method, label(type, method));
            reach(method, null);
        }
    }

    private static String label(CompiledClass type, Method method) {
        String name = type.name().substring(type.name().lastIndexOf('/') + 1).replace('$', '.');
        return switch (method.name()) {
            case "<init>" -> "new " + name;
            case "<clinit>" -> name;
            default -> name + "." + method.name();
        };
    }

    private void reach(@Nullable Method method, @Nullable Method from) {
        if (method == null) {
            return; // the class is from elsewhere
        }
        if (from != null) {
            edges.computeIfAbsent(from, _ -> new LinkedHashSet<>()).add(method);
        }
        if (!edges.containsKey(method)) {
            edges.put(method, new LinkedHashSet<>());
            work.add(method);
        }
    }

    private void follow(Use use, Method from) {
        switch (use) {
            case Direct call when call.owner().equals(target) -> hits.computeIfAbsent(from, _ -> new LinkedHashSet<>())
                    .add(call.key().substring(0, call.key().indexOf('(')));
            case Direct call -> reach(find(classes.get(call.owner()), call.key(), false), from);
            case Virtual call -> {
                callers.computeIfAbsent(call, _ -> new LinkedHashSet<>()).add(from);
                for (CompiledClass type : List.copyOf(created)) {
                    dispatch(call, type, from);
                }
            }
            case Creation creation -> create(classes.get(creation.owner()), from);
            case Initialization initialization -> initialize(classes.get(initialization.owner()), from);
            case ByName byName -> {
                CompiledClass type = classes.get(byName.owner());
                (type == null ? List.<Method>of() : type.methods().values()).forEach(method -> {
                    if (method.name().equals(byName.name())) {
                        reach(method, from);
                    }
                });
            }
        }
    }

    private void initialize(@Nullable CompiledClass type, @Nullable Method from) {
        if (type != null) {
            reach(type.methods().get("<clinit>()V"), from);
            initialize(classes.get(type.supertypes().getFirst()), from);
        }
    }

    private void create(@Nullable CompiledClass type, @Nullable Method from) {
        if (type == null || !created.add(type)) {
            return;
        }
        Set<CompiledClass> supertypes = new LinkedHashSet<>();
        Set<String> fromElsewhere = new LinkedHashSet<>();
        collectSupertypes(type.name(), supertypes, fromElsewhere);
        for (CompiledClass supertype : supertypes) {
            if (isPublic(supertype)) {
                for (Method method : visibleMethods(supertype)) {
                    if (method.isVirtual()) {
                        reachMember(supertype, find(type, method.key(), true));
                    }
                }
            }
        }
        for (String supertype : fromElsewhere) {
            virtualMethods(type, supertype).forEach(key -> reach(find(type, key, true), from));
        }
        callers.forEach((call, methods) -> methods.forEach(method -> dispatch(call, type, method)));
    }

    private void dispatch(Virtual call, CompiledClass receiver, Method from) {
        Set<CompiledClass> supertypes = new LinkedHashSet<>();
        collectSupertypes(receiver.name(), supertypes, new LinkedHashSet<>());
        if (supertypes.stream().anyMatch(type -> type.name().equals(call.owner()))) {
            reach(find(receiver, call.key(), true), from);
        }
    }

    private void collectSupertypes(String name, Set<CompiledClass> supertypes, Set<String> fromElsewhere) {
        CompiledClass type = classes.get(name);
        if (type == null) {
            fromElsewhere.add(name);
        } else if (supertypes.add(type)) {
            type.supertypes().forEach(supertype -> collectSupertypes(supertype, supertypes, fromElsewhere));
        }
    }

    /** Returns the public and protected methods of a type, including inherited ones. */
    private Collection<Method> visibleMethods(CompiledClass type) {
        Set<CompiledClass> supertypes = new LinkedHashSet<>();
        collectSupertypes(type.name(), supertypes, new LinkedHashSet<>());
        Map<String, Method> methods = new LinkedHashMap<>();
        for (CompiledClass supertype : supertypes) {
            supertype.methods().values().stream().filter(Method::isVisible)
                    .forEach(method -> methods.putIfAbsent(method.key(), method));
        }
        return methods.values();
    }

    /** Returns the method that a class has or inherits. Like the JVM, looks at superclasses before interfaces. */
    private @Nullable Method find(@Nullable CompiledClass type, String key, boolean isVirtual) {
        if (type == null) {
            return null;
        }
        Method own = type.methods().get(key);
        if (own != null && !(isVirtual && (own.isAbstract() || !own.isVirtual()))) {
            return own;
        }
        if (key.startsWith("<")) {
            return null; // not inherited
        }
        for (String supertype : type.supertypes()) {
            Method inherited = find(classes.get(supertype), key, isVirtual);
            if (inherited != null) {
                return inherited;
            }
        }
        return null;
    }

    /** Returns the methods of an unknown class that can be overridden, by name and descriptor. */
    private static List<String> virtualMethods(CompiledClass type, String from) {
        List<String> keys = new ArrayList<>();
        try {
            Class<?> loaded = Class.forName(from.replace('/', '.'), false, CallGraph.class.getClassLoader());
            for (Class<?> c = loaded; c != null; c = c.getSuperclass()) {
                addVirtualMethods(c.getDeclaredMethods(), keys);
            }
            addVirtualMethods(loaded.getMethods(), keys); // including methods of interfaces
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException(type.name() + " extends or implements " + from
                    + ", which is not on the class path of this program: add it there", e);
        }
        return keys;
    }

    private static void addVirtualMethods(java.lang.reflect.Method[] methods, List<String> keys) {
        for (java.lang.reflect.Method method : methods) {
            if (!Modifier.isStatic(method.getModifiers()) && !Modifier.isPrivate(method.getModifiers())) {
                keys.add(method.getName() + MethodType
                        .methodType(method.getReturnType(), method.getParameterTypes()).descriptorString());
            }
        }
    }
}
