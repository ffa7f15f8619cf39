# frozen_string_literal: true

# Delivers every item to each of several groups: through consumers of one Outcrop::Queue, or through one in-memory queue per group.

require_relative "bench"

ITEM = ("x" * number("itemBytes")).freeze
ITEMS = number("items")
BATCH = 500

def push_to_all(queues, count)
  while count > 0
    queues.each { |queue| queue << ITEM }
    count -= 1
  end
end

def poll(consumer, count)
  while count > 0
    consumer.poll.ack
    count -= 1
  end
end

# Returns the nanoseconds per delivered item.
def memory(queues)
  nanos_each(ITEMS * queues.size) do
    (ITEMS / BATCH).times do
      push_to_all(queues, BATCH)
      queues.each { |queue| pop(queue, BATCH) }
    end
  end
end

def groups(queues, consumers)
  nanos_each(ITEMS * consumers.size) do
    (ITEMS / BATCH).times do
      push_to_all(queues, BATCH)
      consumers.each { |consumer| poll(consumer, BATCH) }
    end
  end
end

figures = {}
queues = []
SETTINGS.fetch("groups").split(",").each do |name|
  count = Integer(name)
  if SETTINGS.fetch("side") == "ruby"
    inboxes = Array.new(count) { Queue.new }
    figures[name] = -> { memory(inboxes) }
  else
    queue = Outcrop::Queue.new(path: path(name), group: "0")
    queues << queue
    # The first consumer is the queue itself, with its own group.
    consumers = [queue] + Array.new(count - 1) { |i| queue.consumer((i + 1).to_s) }
    figures[name] = -> { groups([queue], consumers) }
  end
end
warm_up { figures.each_value(&:call) }
measure(figures)
queues.each(&:purge)
