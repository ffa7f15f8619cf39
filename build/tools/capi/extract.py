"""Reads RocksDB's C header and the enums of its C++ headers with libclang, and prints their facts as a table.

Usage: extract.py CRATE_DIRECTORY > rocksdb-c-api.tsv

The Java generator reads the table. README.md in this directory describes its rows.
"""

import re
import sys
from pathlib import Path

from clang.cindex import CursorKind, Diagnostic, Index, TypeKind

# The C++ enums that c.h does not repeat. c.h declares their values as plain numbers.
CXX_ENUMS = {
    "rocksdb/advanced_options.h": ["CacheTier", "CompactionPri", "CompactionStyle", "PrepopulateBlobCache",
                                   "VerifyOutputFlags"],
    "rocksdb/compression_type.h": ["CompressionType"],
    "rocksdb/env.h": ["Env::IOActivity", "Env::IOPriority", "Env::Priority", "InfoLogLevel"],
    "rocksdb/listener.h": ["BackgroundErrorReason", "CompactionReason", "FlushReason"],
    "rocksdb/options.h": ["BlobGarbageCollectionPolicy", "BottommostLevelCompaction", "CompactionServiceJobStatus",
                          "ReadTier", "TraceFilterType", "WALRecoveryMode"],
    "rocksdb/port_defs.h": ["CpuPriority"],
    "rocksdb/rate_limiter.h": ["RateLimiter::Mode"],
    "rocksdb/statistics.h": ["StatsLevel"],
    "rocksdb/table.h": ["BlockBasedTableOptions::BlockSearchType", "BlockBasedTableOptions::DataBlockIndexType",
                        "BlockBasedTableOptions::IndexShorteningMode", "BlockBasedTableOptions::IndexType",
                        "BlockBasedTableOptions::PrepopulateBlockCache", "ChecksumType", "EncodingType",
                        "PinningTier"],
    "rocksdb/types.h": ["FileType", "Temperature", "WriteStallCondition"],
    "rocksdb/universal_compaction.h": ["CompactionStopStyle"],
    "rocksdb/utilities/backup_engine.h": ["BackupEngineOptions::ShareFilesNaming", "RestoreOptions::Mode"],
    "rocksdb/utilities/optimistic_transaction_db.h": ["OccValidationPolicy"],
    "rocksdb/utilities/transaction_db.h": ["TxnDBWritePolicy"],
}

# The libclang wheel has no standard headers. c.h includes only these three, which are made of macros of the compiler.
# So the table depends on no header of this machine. `bool` is a typedef to keep its name.
SIZES = (8, 16, 32, 64)
STANDARD_HEADERS = {
    "stdbool.h": "typedef _Bool bool;\n",
    "stddef.h": "typedef __SIZE_TYPE__ size_t;\n",
    "stdint.h": "".join(f"typedef __INT{n}_TYPE__ int{n}_t;\ntypedef __UINT{n}_TYPE__ uint{n}_t;\n" for n in SIZES),
}
STANDARD_DIRECTORY = "/standard-headers"
# All supported platforms are LP64, so one target is enough for all of them.
ARGUMENTS = ["-x", "c", "-std=c11", "-nostdinc", "-isystem", STANDARD_DIRECTORY, "--target=x86_64-unknown-linux-gnu",
             "-Wno-pragma-once-outside-header"]


def parse(header):
    """Returns the top-level declarations of the C header, in its order."""
    files = [(f"{STANDARD_DIRECTORY}/{name}", text) for name, text in STANDARD_HEADERS.items()]
    unit = Index.create().parse(str(header), args=ARGUMENTS, unsaved_files=files)
    problems = [str(d) for d in unit.diagnostics if d.severity >= Diagnostic.Warning]
    if problems:
        sys.exit("the header does not parse cleanly:\n" + "\n".join(problems))
    return [c for c in unit.cursor.get_children() if c.location.file and c.location.file.name == str(header)]


def cxx_enums(include, headers):
    """Returns the named enums of the headers. Their declarations do not use the C++ standard library. So its headers are empty here, and
    the errors that this causes elsewhere are ignored."""
    texts = [path.read_text(errors="replace") for path in include.rglob("*.h")]
    empty = {name for text in texts for name in re.findall(r"#include <([^>]+)>", text)}
    main = STANDARD_HEADERS["stdint.h"] + "".join(f'#include "{header}"\n' for header in headers)
    files = [(f"{STANDARD_DIRECTORY}/{name}", "") for name in empty] + [("main.cc", main)]
    unit = Index.create().parse("main.cc", unsaved_files=files, args=[
        "-std=c++20", "-nostdinc", "-isystem", STANDARD_DIRECTORY, "-I", str(include), "-ferror-limit=0"])
    if any(d.severity >= Diagnostic.Fatal for d in unit.diagnostics):
        sys.exit("the C++ headers do not parse:\n" + "\n".join(map(str, unit.diagnostics)))
    found = {}
    for cursor in unit.cursor.walk_preorder():
        if cursor.kind == CursorKind.ENUM_DECL and cursor.is_definition():
            outer = cursor.semantic_parent
            scope = f"{outer.spelling}::" if outer.kind in (CursorKind.CLASS_DECL, CursorKind.STRUCT_DECL) else ""
            found[scope + cursor.spelling] = cursor
    return [(name, found[name]) for names in headers.values() for name in names]


def version(header):
    text = header.with_name("version.h").read_text()
    return ".".join(re.search(rf"#define ROCKSDB_{part}\s+(\d+)", text)[1] for part in ("MAJOR", "MINOR", "PATCH"))


def row(*cells):
    print("\t".join(str(cell) for cell in cells))


def spell(c_type):
    """Returns the type in a prototype: an array is a pointer, and const on the parameter itself has no meaning."""
    if c_type.kind == TypeKind.INCOMPLETEARRAY:
        element = c_type.get_array_element_type().spelling
        return element + ("*" if element.endswith("*") else " *")
    if c_type.is_const_qualified():
        return c_type.spelling.removesuffix("const") if c_type.kind == TypeKind.POINTER \
            else c_type.spelling.removeprefix("const ")
    return c_type.spelling


def default_name(c_type, previous):
    """Returns a name for an unnamed parameter of the header, made from its type and the type of the previous parameter."""
    words = c_type.replace("const", " ").replace("*", " ").split()
    if "(" in c_type:
        return "callback"
    if words[-1] == "rocksdb_t":
        return "db"
    if words[-1].startswith("rocksdb_"):
        return words[-1].removeprefix("rocksdb_").removesuffix("_t")
    if c_type == "void *":
        return "state"
    if c_type == "char **":
        return "errptr"
    if words[-1] == "size_t" and previous.endswith("char *"):
        return "length"
    return "value"


def parameters(types, names):
    """Returns (type, name) pairs. Every parameter has a unique name."""
    pairs = []
    for c_type, name in zip(types, names, strict=True):
        base = name or default_name(c_type, pairs[-1][0] if pairs else "")
        unique, number = base, 2
        while unique in [taken for _, taken in pairs]:
            unique, number = f"{base}{number}", number + 1
        pairs.append((c_type, unique))
    return pairs


def is_function(c_type):
    return c_type.get_canonical().kind == TypeKind.FUNCTIONPROTO


def prototype(kind, name, proto, cursor):
    """Prints a row for a function or callback. First prints the rows of the callback types in its parameter list."""
    if proto.get_canonical().is_function_variadic():
        sys.exit(f"{name} is variadic, which the generator cannot bind")
    cursors = [c for c in cursor.get_children() if c.kind == CursorKind.PARM_DECL]
    pairs = parameters([spell(c.type) for c in cursors], [c.spelling for c in cursors])
    for parameter_cursor, (_, parameter) in zip(cursors, pairs, strict=True):
        if parameter_cursor.type.kind == TypeKind.POINTER and is_function(parameter_cursor.type.get_pointee()):
            prototype("callback", f"{name}.{parameter}", parameter_cursor.type.get_pointee(), parameter_cursor)
    row(kind, name, proto.get_result().spelling, *(cell for pair in pairs for cell in pair))


def typedef(cursor):
    pointee = cursor.underlying_typedef_type.get_pointee()
    if is_function(pointee):
        prototype("callback", cursor.spelling, pointee, cursor)


def group_name(names):
    """Returns a name for an anonymous enum: the common part of its constants (rocksdb_wal_file_type_*, rocksdb_*_compression),
    or its first and last constant if they have nothing in common."""
    words = [name.split("_") for name in names]
    room = min(map(len, words)) - 1

    def common(offset, step):
        return next((i for i in range(room) if len({w[offset + step * i] for w in words}) > 1), room)

    head, tail = common(0, 1), common(-1, -1)
    if head > 1:
        return "_".join([*words[0][:head], "*"])
    return f"rocksdb_*_{'_'.join(words[0][-tail:])}" if tail else f"{names[0]}..{names[-1]}"


def constants(cursor):
    for constant in cursor.get_children():
        if constant.kind == CursorKind.ENUM_CONSTANT_DECL:
            row("constant", constant.spelling, constant.enum_value)


def enum(cursor):
    row("enum", group_name([c.spelling for c in cursor.get_children()]) if cursor.is_anonymous() else cursor.spelling)
    constants(cursor)


def struct(cursor):
    if not cursor.is_definition():
        row("opaque", cursor.spelling)
        return
    row("struct", cursor.spelling, cursor.type.get_size(), cursor.type.get_align())
    for field in cursor.type.get_fields():
        row("field", field.spelling, field.type.spelling, field.get_field_offsetof() // 8)


READERS = {
    CursorKind.FUNCTION_DECL: lambda cursor: prototype("function", cursor.spelling, cursor.type, cursor),
    CursorKind.TYPEDEF_DECL: typedef,
    CursorKind.ENUM_DECL: enum,
    CursorKind.STRUCT_DECL: struct,
}


def main(crate):
    header = Path(crate, "rocksdb/include/rocksdb/c.h")
    row("version", version(header))
    for cursor in parse(header):
        READERS[cursor.kind](cursor)
    for name, cursor in cxx_enums(header.parent.parent, CXX_ENUMS):
        row("cxxenum", name)
        constants(cursor)


if __name__ == "__main__":
    main(sys.argv[1])
