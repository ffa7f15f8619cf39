package dev.outcrop.codegen.orgrocksdb;

import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ConstantDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The methods that can throw {@code UnsupportedOperationException}: they make the exception, or call a method or lambda that can throw it.
 * A call counts for the method that it names, not for methods that override it.
 *
 * @param methods each as class, name and descriptor
 */
record Refusals(Set<String> methods) {

    private static final String UNSUPPORTED = "dev/outcrop/rocksdbjni/Unsupported";

    static Refusals of(ClassFiles files) {
        Map<String, List<String>> callers = new HashMap<>();
        Deque<String> found = new ArrayDeque<>();
        for (ClassModel model : files.models().values()) {
            for (MethodModel method : model.methods()) {
                String caller = key(model, method);
                calls(method).forEach(call -> {
                    if (call.owner.equals(UNSUPPORTED)) {
                        found.add(caller);
                    } else {
                        declared(files, call).ifPresent(
                                callee -> callers.computeIfAbsent(callee, _ -> new ArrayList<>()).add(caller));
                    }
                });
            }
        }
        Set<String> refusing = new HashSet<>();
        while (!found.isEmpty()) {
            String method = found.remove();
            if (refusing.add(method)) {
                found.addAll(callers.getOrDefault(method, List.of()));
            }
        }
        return new Refusals(refusing);
    }

    boolean has(ClassModel model, MethodModel method) {
        return methods.contains(key(model, method));
    }

    private record Call(String owner, String nameAndDescriptor) {
    }

    private static String key(ClassModel model, MethodModel method) {
        return model.thisClass().asInternalName() + "." + nameAndDescriptor(method);
    }

    private static String nameAndDescriptor(MethodModel method) {
        return method.methodName().stringValue() + method.methodType().stringValue();
    }

    private static Stream<Call> calls(MethodModel method) {
        return method.code().stream().flatMap(code -> code.elementStream()).flatMap(element -> switch (element) {
            case InvokeInstruction invoke -> Stream.of(new Call(invoke.owner().asInternalName(),
                    invoke.name().stringValue() + invoke.type().stringValue()));
            case InvokeDynamicInstruction lambda -> lambda.bootstrapArgs().stream().flatMap(Refusals::call);
            default -> Stream.empty();
        });
    }

    private static Stream<Call> call(ConstantDesc argument) {
        return argument instanceof DirectMethodHandleDesc handle
                ? Stream.of(new Call(internalName(handle), handle.methodName() + handle.lookupDescriptor()))
                : Stream.empty();
    }

    private static String internalName(DirectMethodHandleDesc handle) {
        String descriptor = handle.owner().descriptorString();
        return descriptor.substring(1, descriptor.length() - 1);
    }

    /** Returns the class, or its nearest superclass, that declares a method. */
    private static Optional<String> declared(ClassFiles files, Call call) {
        Optional<ClassModel> model = Optional.ofNullable(files.models().get(call.owner));
        while (model.isPresent()) {
            ClassModel each = model.get();
            if (each.methods().stream().anyMatch(method -> nameAndDescriptor(method).equals(call.nameAndDescriptor))) {
                return Optional.of(each.thisClass().asInternalName() + "." + call.nameAndDescriptor);
            }
            model = each.superclass().map(ClassEntry::asInternalName).map(files.models()::get);
        }
        return Optional.empty();
    }
}
