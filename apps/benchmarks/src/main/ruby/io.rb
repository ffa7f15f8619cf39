# frozen_string_literal: true

# Writes strings into a file from start to end, repeatedly, by one of the strategies of the talk or by one of our methods.

require_relative "bench"

TalkBuffer = Java::DevOutcropBenchmarksJruby::TalkBuffer
JRuby::Util.load_ext("dev.outcrop.benchmarks.jruby.TalkLibrary")

# The number of strings that one call of a method below writes. The methods are called often, so that the JIT compiler compiles them soon.
CHUNK = 1024
PASSES = 5

# The loops differ in one call. They are written out, because a shared loop would add a call to the measurement.

def write_strings(target, string)
  i = 0
  while i < CHUNK
    target.write(string)
    i += 1
  end
end

def write_default_charset(target, string)
  i = 0
  while i < CHUNK
    target.writeDefaultCharset(string)
    i += 1
  end
end

def write_latin1(target, string)
  i = 0
  while i < CHUNK
    target.writeLatin1(string)
    i += 1
  end
end

def write_cast_in_ruby(target, string)
  i = 0
  while i < CHUNK
    target.writeBytes(string.to_java_bytes)
    i += 1
  end
end

def write_cast_in_java(target, string)
  i = 0
  while i < CHUNK
    target.writeRubyString(string)
    i += 1
  end
end

def write_in_ruby_only(target, string)
  i = 0
  while i < CHUNK
    target.put(string.to_java_bytes)
    i += 1
  end
end

def put_bytes(target, string)
  i = 0
  while i < CHUNK
    target.put_bytes(string)
    i += 1
  end
end

def put_bytes_copy(target, string)
  i = 0
  while i < CHUNK
    target.put_bytes_copy(string)
    i += 1
  end
end

def map(path, size)
  channel = java.nio.channels.FileChannel.open(java.nio.file.Path.of(path), java.nio.file.StandardOpenOption::READ,
                                               java.nio.file.StandardOpenOption::WRITE)
  channel.map(java.nio.channels.FileChannel::MapMode::READ_WRITE, 0, size)
ensure
  channel&.close
end

SIZE = number("fileBytes")
PATH = path("file")

# Writes the whole file before the measurement. It then stays in memory.
zeros = "\0".b * (1 << 20)
File.open(PATH, "wb") { |file| (SIZE / zeros.bytesize).times { file.write(zeros) } }

target, writer =
  case SETTINGS.fetch("side")
  when "file-write" then [File.open(PATH, "r+b"), :write_strings]
  when "implicit-default-charset" then [TalkBuffer.open(PATH, SIZE), :write_default_charset]
  when "implicit-iso-8859-1" then [TalkBuffer.open(PATH, SIZE), :write_latin1]
  when "explicit-ruby-cast" then [TalkBuffer.open(PATH, SIZE), :write_cast_in_ruby]
  when "explicit-java-cast" then [TalkBuffer.open(PATH, SIZE), :write_cast_in_java]
  when "jruby-only" then [map(PATH, SIZE), :write_in_ruby_only]
  when "extension-unsafe" then [TalkExtension.new(PATH, SIZE), :put_bytes]
  when "extension-safe" then [TalkExtension.new(PATH, SIZE), :put_bytes_copy]
  when "put_bytes" then [Mmap::ByteBuffer.new(PATH, SIZE), :put_bytes]
  when "put_bytes_copy" then [Mmap::ByteBuffer.new(PATH, SIZE), :put_bytes_copy]
  end

# A Method object instead of send, so that each loop has one receiver and one target.
WRITE = method(writer)
REWIND = target.respond_to?(:position=) ? ->(there) { there.position = 0 } : ->(there) { there.rewind }

def pass(target, string)
  nanos_each(SIZE / string.bytesize) do
    REWIND.call(target)
    (SIZE / string.bytesize / CHUNK).times { WRITE.call(target, string) }
  end
end

# Returns the median of several passes, in nanoseconds. A first pass does not count: it touches pages that the system has begun to write to
# the disk, and pays for that in place of the later passes.
def steady
  yield
  Array.new(PASSES) { yield }.sort[PASSES / 2]
end

strings = SETTINGS.fetch("sizes").split(",").to_h { |bytes| [bytes, ("x" * Integer(bytes)).freeze] }
figures = strings.transform_values { |string| -> { pass(target, string) } }
if SETTINGS.fetch("side") == "put_bytes"
  # Measures each size next to its limit, so that a slow moment of the machine affects both.
  limit = Java::DevOutcropBenchmarksJruby::CopyLimit.open(PATH, SIZE)
  figures = figures.flat_map { |bytes, figure| [[bytes, figure], ["limit-#{bytes}", -> { limit.pass(Integer(bytes)) }]] }.to_h
end
warm_up { figures.each_value(&:call) }
measure(figures.transform_values { |figure| -> { steady(&figure) } })
File.unlink(PATH)
