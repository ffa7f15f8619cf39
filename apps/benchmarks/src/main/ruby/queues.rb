# frozen_string_literal: true

# Some threads push strings into a queue, and other threads pop them.

require_relative "bench"

CHUNK = 500
PAGES = { page_size: 100 << 20 }.freeze

PATH = path("queue")

def open_queue(side, max)
  case side
  when "ruby" then max ? SizedQueue.new(max) : Queue.new
  when "outcrop" then max ? Outcrop::SizedQueue.new(max, path: PATH) : Outcrop::Queue.new(path: PATH)
  when "page-cache"
    handler = Mmap::PageCache.new(PATH, **PAGES)
    max ? Mmap::SizedQueue.new(max, page_handler: handler) : Mmap::Queue.new(page_handler: handler)
  when "single-page" then Mmap::SizedQueue.new(max, page_handler: Mmap::SinglePage.new(PATH, **PAGES))
  end
end

# In chunks, so that the methods are called often and compiled soon.
def pushers(queue, item, items, threads)
  Array.new(threads) { Thread.new { (items / threads / CHUNK).times { push(queue, item, CHUNK) } } }
end

def poppers(queue, items, threads)
  Array.new(threads) { Thread.new { (items / threads / CHUNK).times { pop(queue, CHUNK) } } }
end

def through(queue, item, items, producers, consumers)
  nanos_each(items) { (pushers(queue, item, items, producers) + poppers(queue, items, consumers)).each(&:join) }
end

def in_then_out(queue, item, items, producers, consumers)
  nanos_each(items) do
    pushers(queue, item, items, producers).each(&:join)
    poppers(queue, items, consumers).each(&:join)
  end
end

def only_in(queue, item, items, producers)
  nanos = nanos_each(items) { pushers(queue, item, items, producers).each(&:join) }
  poppers(queue, items, 1).each(&:join)
  nanos
end

items = number("items")
item = ("x" * number("itemBytes")).freeze
queue = open_queue(SETTINGS.fetch("side"), SETTINGS["max"]&.to_i)
figures = {}
SETTINGS.fetch("flows").split(",").each do |flow|
  way, producers, consumers = flow.split("-")
  producers = Integer(producers)
  consumers = Integer(consumers)
  figures[flow] =
    case way
    when "through" then -> { through(queue, item, items, producers, consumers) }
    when "then" then -> { in_then_out(queue, item, items, producers, consumers) }
    when "in" then -> { only_in(queue, item, items, producers) }
    end
end
warm_up { figures.each_value(&:call) }
measure(figures)
queue.purge if queue.respond_to?(:purge)
