# frozen_string_literal: true

# Pushes and pops items with one serializer, in one thread, through every kind of queue.

require_relative "bench"

BATCH = 500
ITEMS = number("items")

SERIALIZERS = {
  "identity" => nil,
  "marshal" => Outcrop::Serializers::Marshal,
  "json" => Outcrop::Serializers::JSON,
  "msgpack" => Outcrop::Serializers::MessagePack
}.freeze

# An item of about a kilobyte, as in a pipeline. Without a serializer, the item is a string as long as this item in JSON.
EVENT = {
  "id" => 123_456_789, "type" => "order", "paid" => true, "total" => 99.95, "note" => "x" * 600,
  "lines" => Array.new(5) { |i| { "article" => "article number #{i}", "count" => i, "price" => 12.5 } },
  "tags" => Array.new(8) { |i| "tag-#{i}" }
}.freeze

def pass(queue, item)
  nanos_each(ITEMS) do
    (ITEMS / BATCH).times do
      push(queue, item, BATCH)
      pop(queue, BATCH)
    end
  end
end

serializer = SERIALIZERS.fetch(SETTINGS.fetch("side"))
item = serializer ? EVENT : ("x" * Outcrop::Serializers::JSON.serialize(EVENT).bytesize).freeze
queues = {
  "ruby" => Queue.new,
  "queue" => Outcrop::Queue.new(path: path("queue"), serializer: serializer),
  "sized" => Outcrop::SizedQueue.new(2 * BATCH, path: path("sized"), serializer: serializer),
  "mmap-queue" => Mmap::Queue.new(path: path("mmap-queue"), serializer: serializer),
  "mmap-sized" => Mmap::SizedQueue.new(2 * BATCH, path: path("mmap-sized"), serializer: serializer)
}
warm_up { queues.each_value { |queue| pass(queue, item) } }
measure(queues.transform_values { |queue| -> { pass(queue, item) } })
queues.each_value { |queue| queue.purge if queue.respond_to?(:purge) }
