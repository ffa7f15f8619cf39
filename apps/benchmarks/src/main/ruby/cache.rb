# frozen_string_literal: true

# Pushes and pops in one thread, with a backlog of a given number of pages. Compares a cache of only the head and the tail page with a cache
# of the most recently used pages.

require_relative "bench"

ITEM = ("x" * number("itemBytes")).freeze
ITEMS = number("items")
CHUNK = 100
# The approximate bytes that a record takes in addition to its item.
OVERHEAD = 4

def handler(name, page_size, cache)
  return Mmap::PageCache.new(path(name), page_size: page_size, cache_size: Integer(cache)) unless cache == "ends"

  Java::DevOutcropJrubyMmap::HeadAndTail.open(Mmap::PageCache.allocate, path(name), page_size)
end

def pass(queue)
  nanos_each(ITEMS) do
    (ITEMS / CHUNK).times do
      push(queue, ITEM, CHUNK)
      pop(queue, CHUNK)
    end
  end
end

queues = SETTINGS.fetch("caches").split(",").to_h do |name|
  kilobytes, pages, cache = name.split("x")
  page_size = Integer(kilobytes) << 10
  queue = Mmap::PagedQueue.new(handler(name, page_size, cache))
  push(queue, ITEM, (Float(pages) * page_size / (ITEM.bytesize + OVERHEAD)).to_i)
  [name, queue]
end
warm_up { queues.each_value { |queue| pass(queue) } }
measure(queues.transform_values { |queue| -> { pass(queue) } })
queues.each_value(&:purge)
