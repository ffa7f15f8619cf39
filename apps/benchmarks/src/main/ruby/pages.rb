# frozen_string_literal: true

# Pushes and pops in one thread, with a backlog. Compares page sizes and cache sizes. If the backlog is larger than a page, head and tail
# are on different pages.

require_relative "bench"

ITEM = ("x" * number("itemBytes")).freeze
ITEMS = number("items")
BACKLOG = number("backlog")
CHUNK = 100

def pass(queue)
  nanos_each(ITEMS) do
    (ITEMS / CHUNK).times do
      push(queue, ITEM, CHUNK)
      pop(queue, CHUNK)
    end
  end
end

queues = SETTINGS.fetch("pages").split(",").to_h do |name|
  kilobytes, cache_size = name.split("x").map { |value| Integer(value) }
  handler = Mmap::PageCache.new(path(name), page_size: kilobytes << 10, cache_size: cache_size)
  queue = Mmap::PagedQueue.new(handler)
  push(queue, ITEM, BACKLOG)
  [name, queue]
end
warm_up { queues.each_value { |queue| pass(queue) } }
measure(queues.transform_values { |queue| -> { pass(queue) } })
queues.each_value(&:purge)
