package dev.outcrop.codegen.orgrocksdb;

import java.lang.classfile.Signature;
import java.lang.classfile.Signature.ArrayTypeSig;
import java.lang.classfile.Signature.BaseTypeSig;
import java.lang.classfile.Signature.ClassTypeSig;
import java.lang.classfile.Signature.TypeArg;
import java.lang.classfile.Signature.TypeParam;
import java.lang.classfile.Signature.TypeVarSig;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Converts types to Java source of one package.
 *
 * @param packageName the package
 */
record JavaTypes(String packageName) {

    String name(String internalName) {
        int slash = internalName.lastIndexOf('/');
        String of = internalName.substring(0, slash).replace('/', '.');
        String simple = internalName.substring(slash + 1).replace('$', '.');
        return of.equals(packageName) || of.equals("java.lang") ? simple : of + "." + simple;
    }

    String type(Signature signature) {
        return switch (signature) {
            case BaseTypeSig base -> switch (base.baseType()) {
                case 'V' -> "void";
                case 'Z' -> "boolean";
                case 'B' -> "byte";
                case 'C' -> "char";
                case 'S' -> "short";
                case 'I' -> "int";
                case 'J' -> "long";
                case 'F' -> "float";
                default -> "double";
            };
            case ArrayTypeSig array -> type(array.componentSignature()) + "[]";
            case TypeVarSig variable -> variable.identifier();
            case ClassTypeSig type -> type.outerType()
                    .map(outer -> type(outer) + "." + type.className()).orElseGet(() -> name(type.className()))
                    + arguments(type.typeArgs());
        };
    }

    private String arguments(List<TypeArg> arguments) {
        return arguments.isEmpty()
                ? ""
                : arguments.stream().map(argument -> switch (argument) {
                    case TypeArg.Unbounded _ -> "?";
                    case TypeArg.Bounded bounded -> switch (bounded.wildcardIndicator()) {
                        case NONE -> "";
                        case EXTENDS -> "? extends ";
                        case SUPER -> "? super ";
                    } + type(bounded.boundType());
                }).collect(Collectors.joining(", ", "<", ">"));
    }

    String parameters(List<TypeParam> parameters) {
        return parameters.isEmpty()
                ? ""
                : parameters.stream().map(this::parameter).collect(Collectors.joining(", ", "<", ">"));
    }

    private String parameter(TypeParam parameter) {
        List<String> bounds = new ArrayList<>();
        parameter.classBound().map(this::type).filter(bound -> !bound.equals("Object")).ifPresent(bounds::add);
        parameter.interfaceBounds().stream().map(this::type).forEach(bounds::add);
        return parameter.identifier() + (bounds.isEmpty() ? "" : " extends " + String.join(" & ", bounds));
    }

    /** Returns the initial value of a field of a type. */
    static String zero(String type) {
        return switch (type) {
            case "boolean" -> "false";
            case "byte", "short", "int", "char" -> "(" + type + ") 0";
            case "long" -> "0L";
            case "float", "double" -> "0";
            default -> "(" + type + ") null";
        };
    }
}
