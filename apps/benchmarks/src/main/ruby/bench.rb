# frozen_string_literal: true

# Shared by all programs of the suite: settings from the command line, a directory, loops, a clock, and lines of figures for the harness.

require "outcrop"
require "fileutils"

SETTINGS = ARGV.to_h { |argument| argument.split("=", 2) }.freeze

def number(name)
  Integer(SETTINGS.fetch(name))
end

def directory
  SETTINGS.fetch("directory")
end

FileUtils.mkdir_p(directory)

def path(name)
  File.join(directory, name)
end

def push(queue, item, count)
  while count > 0
    queue << item
    count -= 1
  end
end

def pop(queue, count)
  while count > 0
    queue.pop
    count -= 1
  end
end

def drain(queue)
  queue.pop until queue.empty?
end

# Returns the block's nanoseconds per operation.
def nanos_each(operations)
  start = Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond)
  yield
  (Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond) - start).fdiv(operations)
end

# Repeats the block for the warm-up time, so that the JIT compiler compiles it.
def warm_up
  finish = Process.clock_gettime(Process::CLOCK_MONOTONIC, :millisecond) + number("warmupMillis")
  loop do
    yield
    break if Process.clock_gettime(Process::CLOCK_MONOTONIC, :millisecond) >= finish
  end
end

# Measures all figures in turn. Every second iteration runs them in reverse order. Each figure is a block that returns nanoseconds.
def measure(figures)
  number("iterations").times do |i|
    order = i.even? ? figures.keys : figures.keys.reverse
    order.each { |name| puts "figure #{figures.fetch(name).call.round(3)} 0 #{name}" }
  end
end

# Returns the nanoseconds per item pushed into a Mmap::Queue that is forced after every `every` items, `forces` times in all.
def forced(queue, item, every, forces)
  nanos = nanos_each(every * forces) do
    forces.times do
      push(queue, item, every)
      queue.force
    end
  end
  drain(queue)
  nanos
end
