"""Prints a table of the tickers, histograms and perf levels of RocksDB, and of the properties of a database.

Usage: statistics.py CRATE_DIRECTORY > rocksdb-statistics.tsv

The numbers come from the C++ headers, with libclang. The names of tickers and histograms, and the properties, come from other
sources of RocksDB, which are regular enough for regular expressions. README.md describes the rows.
"""

import re
import sys
from pathlib import Path

from clang.cindex import CursorKind

from extract import cxx_enums, row, version


def names(source, table):
    """Returns the text for each constant in a table like {{BLOCK_CACHE_MISS, "rocksdb.block.cache.miss"}, …}."""
    body = re.search(rf"\b{table} = \{{(.*?)^\}};", source, re.DOTALL | re.MULTILINE)[1]
    return dict(re.findall(r'\{(\w+),\s*"([^"]+)"\}', body))


def properties(header, source):
    """Yields the name of the constant, the name of the property, and the kind of its value."""
    strings = {}
    for name, other, text in re.findall(r'^static const std::string (\w+) =\s*(?:(\w+) \+\s*)?"([^"]+)";', source,
                                        re.MULTILINE):
        strings[name] = strings.get(other, "") + text
    defined = dict(re.findall(r"^const std::string DB::Properties::(\w+) =\s*rocksdb_prefix \+ (\w+);", source,
                              re.MULTILINE))
    handlers = dict(re.findall(r"\{DB::Properties::(\w+),\s*\{(?:true|false),([^}]*)\}", source))
    body = re.search(r"struct Properties \{(.*?)^  \};", header, re.DOTALL | re.MULTILINE)[1]
    for constant in re.findall(r"static const std::string (\w+);", body):
        # The order in the struct: as text, as a number, as a map, as text from the database.
        as_text, as_number, _, by_database = [handler.strip() != "nullptr" for handler in handlers[constant].split(",")]
        takes_argument = constant.endswith(("Prefix", "AtLevel", "AtTemperature"))
        kind = "argument" if takes_argument else "number" if as_number else "text"
        if not (as_text or as_number or by_database):
            sys.exit(f"{constant} is neither text nor a number")
        yield constant, strings["rocksdb_prefix"] + strings[defined[constant]], kind


def perf_level(include):
    """Returns the levels of the perf context. The C header has an enum for them too, but with the numbers of an older RocksDB."""
    return dict(cxx_enums(include, {"rocksdb/perf_level.h": ["PerfLevel"]}))["PerfLevel"]


def main(crate):
    rocksdb = Path(crate, "rocksdb")
    row("version", version(rocksdb / "include/rocksdb/c.h"))
    source = (rocksdb / "monitoring/statistics.cc").read_text()
    enums = dict(cxx_enums(rocksdb / "include", {"rocksdb/statistics.h": ["Tickers", "Histograms"]}))
    for kind, enum, table in ("ticker", "Tickers", "TickersNameMap"), ("histogram", "Histograms", "HistogramsNameMap"):
        texts = names(source, table)
        for constant in enums[enum].get_children():
            if constant.kind == CursorKind.ENUM_CONSTANT_DECL and not constant.spelling.endswith("_ENUM_MAX"):
                row(kind, constant.spelling, constant.enum_value, texts.pop(constant.spelling))
        if texts:
            sys.exit(f"{table} has names for what {enum} does not have: {', '.join(texts)}")
    for constant in perf_level(rocksdb / "include").get_children():
        if constant.kind == CursorKind.ENUM_CONSTANT_DECL:
            row("perflevel", constant.spelling, constant.enum_value)
    header = (rocksdb / "include/rocksdb/db.h").read_text()
    for constant, name, kind in properties(header, (rocksdb / "db/internal_stats.cc").read_text()):
        row("property", constant, kind, name)


if __name__ == "__main__":
    main(sys.argv[1])
