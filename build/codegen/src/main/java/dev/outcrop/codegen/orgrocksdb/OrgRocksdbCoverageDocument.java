package dev.outcrop.codegen.orgrocksdb;

import java.util.Collection;
import java.util.Locale;
import java.util.stream.Collectors;

/** The document that lists the supported methods. */
final class OrgRocksdbCoverageDocument {

    private OrgRocksdbCoverageDocument() {
    }

    static String text(Collection<CoveredClass> classes) {
        int works = classes.stream().mapToInt(CoveredClass::works).sum();
        int refused = classes.stream().mapToInt(c -> c.refused().size()).sum();
        int unreachable = classes.stream().mapToInt(CoveredClass::unreachable).sum();
        int declared = classes.stream().mapToInt(CoveredClass::declared).sum();
        int natives = classes.stream().mapToInt(CoveredClass::natives).sum();
        int all = works + refused + unreachable;
        return """
                # What of `org.rocksdb` works

                The module `rocksdbjni` has every public class and method of the published `org.rocksdb:rocksdbjni`. Of its \
                %,d public methods
                and constructors with a body

                - **%,d (%.1f %%)** work,
                - %,d throw `UnsupportedOperationException`, always or in some cases,
                - %,d would work, but nothing makes an object of their class yet.

                %,d more are abstract: declarations of interfaces and of abstract classes.

                The build computes this page from the compiled classes and fails when it is not up to date. A method counts as refused when
                it can refuse, itself or through whatever it calls, even if it does so only in some cases.

                Where the C API lacks a function, a method goes through the library's functions for JNI: %d of them, none on a hot path
                ([why](decisions/0023-native-methods.md)).

                | class | works | refused | no object yet | abstract |
                |---|--:|--:|--:|--:|
                %s
                | **all** | **%,d** | **%,d** | **%,d** | **%,d** |

                ## Refused methods

                %s
                """
                .formatted(all, works, 100.0 * works / all, refused, unreachable, declared, natives,
                        classes.stream().map(OrgRocksdbCoverageDocument::row).collect(Collectors.joining("\n")), works,
                        refused,
                        unreachable, declared,
                        classes.stream().filter(c -> !c.refused().isEmpty())
                                .map(c -> "**" + c.name() + "**: "
                                        + c.refused().stream().map(m -> "`" + m + "`")
                                                .collect(Collectors.joining(", ")))
                                .collect(Collectors.joining("\n\n")));
    }

    private static String row(CoveredClass each) {
        return String.format(Locale.ROOT, "| `%s` | %d | %d | %d | %d |", each.name(), each.works(),
                each.refused().size(),
                each.unreachable(), each.declared());
    }
}
