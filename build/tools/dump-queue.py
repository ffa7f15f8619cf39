#!/usr/bin/env python3
"""Shows the contents of a queue: build/tools/dump-queue.py DIRECTORY [--json]

Written from docs/queue-format.md alone, with Python's standard library alone. It proves that the document is complete, and reads a queue
on a machine without a JVM. Takes no lock and changes nothing. Prints the file and the position of each damage. The exit status is 1 after
damage, and 2 if the directory does not exist."""

import argparse
import json
import os
import re
import struct
import sys
import urllib.parse

VERSION = 1
MASK64 = (1 << 64) - 1
KINDS = {1: "record", 2: "withdrawn", 3: "end"}
SLOT = 512
PAGE = 4096
HEADER = 64
HEAD = 24
WORDS = 2048


def crc_table():
    table = []
    for i in range(256):
        crc = i
        for _ in range(8):
            crc = (crc >> 1) ^ (0x82F63B78 if crc & 1 else 0)
        table.append(crc)
    return table


TABLE = crc_table()


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = (crc >> 8) ^ TABLE[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFFFFFF


def mix(x):
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK64
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK64
    return x ^ (x >> 31)


def seed(generation, offset, length, kind):
    x = generation ^ ((offset * 0x9E3779B97F4A7C15) & MASK64) ^ (((kind << 32 | length) * 0xC2B2AE3D27D4EB4F) & MASK64)
    return mix(x) & 0xFFFFFFFF


def tag_key(generation):
    return mix(generation) >> 32


def read_file(path):
    with open(path, "rb") as file:
        return file.read()


class Dump:
    def __init__(self, directory):
        self.directory = directory
        self.damage = []
        self.notes = []
        self.queue = None
        self.promised = 0
        self.segments = []
        self.groups = []

    def damaged(self, file, position, what):
        self.damage.append({"file": file, "position": position, "what": what})

    # --- The file "queue" ---

    def read_queue(self):
        name = "queue"
        path = os.path.join(self.directory, name)
        if not os.path.exists(path):
            self.damaged(name, 0, "the file is missing")
            return
        if not os.path.isfile(path):
            self.damaged(name, 0, "it is no file")
            return
        data = read_file(path)
        if len(data) != PAGE:
            self.damaged(name, min(len(data), PAGE), "it has %d bytes instead of %d" % (len(data), PAGE))
        slots = []
        # In a file shorter than two slots, none counts: the one that is left may be the older one.
        for at in (0, SLOT) if len(data) >= 2 * SLOT else ():
            magic, sequence, queue_id, size, retired, synced, clean, version, crc = struct.unpack_from(
                "<8s6QII", data, at)
            if magic == b"OUTCROPQ" and version == VERSION and crc == crc32c(data[at:at + 60]) \
                    and 8192 <= size <= 1 << 30 and size % 4096 == 0:
                slots.append({"sequence": sequence, "id": queue_id, "segmentSize": size, "retired": retired,
                              "synced": synced, "cleanPosition": clean})
        if not slots:
            self.damaged(name, 0, "neither of its slots is whole")
            return
        self.queue = max(slots, key=lambda slot: slot["sequence"])
        self.promised = self.queue["synced"] if self.queue["synced"] > self.queue["retired"] else 0

    # --- Segments ---

    def read_segments(self):
        pattern = re.compile(r"[0-9]{20}\.segment")
        names = sorted(name for name in os.listdir(self.directory)
                       if pattern.fullmatch(name) and int(name[:20]) < 1 << 63)
        bases = [int(name[:20]) for name in names]
        expected = self.queue["retired"]
        is_any = False
        for i, name in enumerate(names):
            following = bases[i + 1] if i + 1 < len(names) else None
            if following is not None and following <= self.queue["retired"] and self.is_file(name):
                self.notes.append(name + ": all of it is retired")
                continue
            is_any = True
            if bases[i] > expected:
                self.damaged("%020d.segment" % expected, 0,
                             "records %d to %d are missing" % (expected, bases[i] - 1))
            end = self.read_segment(name, bases[i], following)
            expected = end if end is not None else following if following is not None else bases[i]
        if expected < self.promised or (not is_any and self.promised > 0):
            self.damaged("%020d.segment" % expected, 0, "records from %d on are missing" % expected)

    def read_segment(self, name, base, following):
        if not self.is_file(name):
            self.damaged(name, 0, "it is no file")
            return None
        data = read_file(os.path.join(self.directory, name))
        queue = self.queue
        # A power cut may have come after the file got its name and before its header was durable.
        may_be_new = following is None and base >= self.promised and queue["cleanPosition"] == 0
        magic, queue_id, generation, said, size, created, _, version, crc = struct.unpack_from(
            "<8s6QII", data[:HEADER].ljust(HEADER, b"\0"), 0)
        if magic != b"OUTCROPS" or version != VERSION or crc != crc32c(data[:60].ljust(60, b"\0")):
            if may_be_new:
                self.notes.append(name + ": it was not begun")
                return base
            self.damaged(name, 0, "its header is not whole")
            return None
        is_own = queue_id == queue["id"] and size == queue["segmentSize"]
        if is_own and said != base and may_be_new:
            self.notes.append(name + ": it was not begun, and has the header of an earlier use")
            return base
        if not is_own or said != base:
            self.damaged(name, 0, "it belongs elsewhere: to queue %x, at offset %d" % (queue_id, said))
            return None
        if len(data) != size:
            self.damaged(name, min(len(data), size), "it has %d bytes instead of %d" % (len(data), size))
        segment = {"file": name, "base": base, "generation": generation, "created": created, "records": []}
        self.segments.append(segment)
        return self.read_records(segment, data, following)

    def read_records(self, segment, data, following):
        queue = self.queue
        generation = segment["generation"]
        records = segment["records"]
        offset = segment["base"]
        position = HEADER
        is_ended = False
        while offset != following:
            record = whole_record(data, position, offset, generation)
            if record is None:
                found = find_next(data, position, offset, generation, following)
                if found is None:
                    break
                # A committed record that is not whole is damaged, because a whole record follows.
                self.hole(segment, position, offset, found[1], is_committed(data, position, offset, generation))
                position, offset = found
                continue
            if record["kind"] == "end":
                is_ended = True
                break
            records.append(record)
            offset += 1
            position += padded(HEAD + record["length"])
        segment["end"] = offset
        segment["bytes"] = position
        if following is None and queue["cleanPosition"] != 0 and offset >= queue["synced"] \
                and (offset, position) != (queue["synced"], queue["cleanPosition"]):
            self.damaged("queue", 0, "it says that record %d is the next one and begins at byte %d of %s, but that is %d, at %d"
                         % (queue["synced"], queue["cleanPosition"], segment["file"], offset, position))
        if is_ended:
            # If records are missing after the end of the segment, they were in other files.
            return offset
        missing = 0 if following is None else min(following - offset, (queue["segmentSize"] - position) // HEAD)
        if missing > 0:
            self.hole(segment, position, offset, offset + missing, is_committed(data, position, offset, generation))
            return offset + missing
        if following is None and offset < self.promised:
            self.hole(segment, position, offset, self.promised, True)
            return self.promised
        return offset

    def hole(self, segment, position, offset, following, is_sure=False):
        what = "records %d to %d are not whole" % (offset, following - 1)
        if offset < self.promised or is_sure:
            self.damaged(segment["file"], position, what)
        else:
            self.notes.append("%s at byte %d: %s, and may never have been" % (segment["file"], position, what))

    # --- Groups ---

    def read_groups(self):
        directory = os.path.join(self.directory, "groups")
        if not os.path.isdir(directory):
            return
        pattern = re.compile(r"([a-z0-9_-]|%[0-9A-F]{2})+\.group")
        for name in sorted(os.listdir(directory)):
            if pattern.fullmatch(name):
                self.read_group("groups/" + name, urllib.parse.unquote(name[:-len(".group")]))

    def read_group(self, file, name):
        if not self.is_file(file):
            self.damaged(file, 0, "it is no file")
            return
        data = read_file(os.path.join(self.directory, file))
        slots = []
        for at in (0, SLOT):
            if len(data) < at + SLOT:
                continue
            magic, sequence, queue_id, floor, _, version, crc = struct.unpack_from("<8s3QIII", data, at)
            if magic != b"OUTCROPG" or version != VERSION or crc != crc32c(data[at:at + 40]):
                continue
            if queue_id != self.queue["id"]:
                self.damaged(file, at, "it belongs to another queue")
                return
            slots.append((sequence, floor))
        if not slots:
            self.damaged(file, 0, "neither of its slots is whole")
            return
        if len(data) != PAGE + 8 * WORDS:
            self.damaged(file, len(data), "it has not the size of a group's file")
            return
        floor = max(slots)[1]
        ahead = []
        for block in range(floor // 32, floor // 32 + WORDS):
            word = struct.unpack_from("<Q", data, PAGE + 8 * (block % WORDS))[0]
            bits = word & 0xFFFFFFFF
            check = (mix(self.queue["id"] ^ block) ^ (bits * 0x9E3779B1)) & 0xFFFFFFFF
            if word >> 32 == check:
                ahead += [offset for offset in range(32 * block, 32 * block + 32)
                          if bits >> (offset % 32) & 1 and offset >= floor]
        self.groups.append({"name": name, "file": file, "floor": floor, "ahead": ahead})

    def read_obstacles(self):
        for name in sorted(os.listdir(self.directory)):
            path = os.path.join(self.directory, name)
            if name in ("groups", "tailers") and not os.path.isdir(path):
                self.damaged(name, 0, "it is not a directory")
            elif re.fullmatch(r"[0-9]+\.spare", name) and os.path.isdir(path) and not os.path.islink(path):
                self.damaged(name, 0, "it is a directory")

    def is_file(self, name):
        return os.path.isfile(os.path.join(self.directory, name))

    def run(self):
        self.read_obstacles()
        self.read_queue()
        if self.queue is not None:
            self.read_segments()
            self.read_groups()


def padded(size):
    return (size + 7) // 8 * 8


def whole_record(data, position, offset, generation):
    """Returns the record of an offset at a position, or None if it is not there or not whole."""
    if position + HEAD > len(data):
        return None
    state, tag, crc, kind, time = struct.unpack_from("<4IQ", data, position)
    length = state & 0x7FFFFFFF
    if not state >> 31 or tag ^ tag_key(generation) != offset & 0xFFFFFFFF or position + HEAD + length > len(data):
        return None
    if crc != crc32c(data[position + 16:position + padded(HEAD + length)]) ^ seed(generation, offset, length, kind):
        return None
    return {"offset": offset, "position": position, "kind": KINDS.get(kind, str(kind)), "time": time,
            "length": length, "payload": data[position + HEAD:position + HEAD + length]}


def is_committed(data, position, offset, generation):
    """Returns whether the committed word of an offset is at a position."""
    if position + HEAD > len(data):
        return False
    state, tag = struct.unpack_from("<2I", data, position)
    return bool(state >> 31) and tag ^ tag_key(generation) == offset & 0xFFFFFFFF


def find_next(data, position, offset, generation, following):
    """Returns the position and the offset of the next whole record after a hole, or None."""
    states = memoryview(data)[:len(data) // 8 * 8].cast("I")
    key = tag_key(generation)
    little = sys.byteorder == "little"
    for at in range(position + HEAD, len(data) - HEAD + 1, 8):
        state = states[at // 4] if little else struct.unpack_from("<I", data, at)[0]
        if not state >> 31:
            continue
        tag = struct.unpack_from("<I", data, at + 4)[0]
        swallowed = ((tag ^ key) - offset) & 0xFFFFFFFF
        # Each record in the hole takes at least the 24 bytes of its header.
        if swallowed == 0 or swallowed > (at - position) // HEAD:
            continue
        if following is not None and offset + swallowed > following:
            continue
        if whole_record(data, at, offset + swallowed, generation) is not None:
            return at, offset + swallowed
    return None


def shown(payload):
    try:
        text = payload.decode("utf-8")
        if text.isprintable():
            return json.dumps(text, ensure_ascii=False)
    except UnicodeDecodeError:
        pass
    return payload.hex()


def print_text(dump):
    if dump.queue is not None:
        print("queue " + "  ".join("%s %s" % item for item in dump.queue.items()))
    for segment in dump.segments:
        print("segment %s  generation %016x  created %d" % (
            segment["file"], segment["generation"], segment["created"]))
        for record in segment["records"]:
            print("  %d  %s  time %d  length %d  %s" % (
                record["offset"], record["kind"], record["time"], record["length"], shown(record["payload"])))
    for group in dump.groups:
        print("group %s  floor %d  ahead %s" % (group["name"], group["floor"], group["ahead"]))
    for note in dump.notes:
        print("note: " + note)


def print_json(dump):
    for segment in dump.segments:
        for record in segment["records"]:
            record["payload"] = record["payload"].hex()
    json.dump({"queue": dump.queue, "segments": dump.segments, "groups": dump.groups, "notes": dump.notes,
               "damage": dump.damage}, sys.stdout)
    print()


def main():
    parser = argparse.ArgumentParser(description="Shows what is in a queue. Takes no lock and changes nothing.")
    parser.add_argument("directory")
    parser.add_argument("--json", action="store_true", help="payloads as hexadecimal digits")
    arguments = parser.parse_args()
    if not os.path.isdir(arguments.directory):
        print("There is no directory " + arguments.directory, file=sys.stderr)
        return 2
    dump = Dump(arguments.directory)
    dump.run()
    if arguments.json:
        print_json(dump)
    else:
        print_text(dump)
    for damage in dump.damage:
        print("%s is damaged at byte %d: %s" % (
            os.path.join(arguments.directory, damage["file"]), damage["position"], damage["what"]), file=sys.stderr)
    return 1 if dump.damage else 0


if __name__ == "__main__":
    sys.exit(main())
