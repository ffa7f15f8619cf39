# frozen_string_literal: true

# The cost of getting items to the disk: a Mmap::Queue that is forced after a number of pushes, and each durability of Outcrop::Queue.

require_relative "bench"

ITEM = ("x" * number("itemBytes")).freeze
# Syncs per figure, unless they would need more than MOST items.
SYNCS = number("syncs")
MOST = number("items")

def pushed(queue, count)
  nanos = nanos_each(count) { push(queue, ITEM, count) }
  drain(queue)
  nanos
end

mapped = Mmap::Queue.new(page_handler: Mmap::PageCache.new(path("mmap"), page_size: 16 << 20))
log = { "page_cache" => :page_cache, "group_commit" => :group_commit, "every_push" => :every_push }
      .transform_values { |durability| Outcrop::Queue.new(path: path(durability.to_s), durability: durability) }

figures = [1, 10, 100, 1000].to_h { |every| ["every-#{every}", -> { forced(mapped, ITEM, every, [SYNCS, MOST / every].min) }] }
figures["never"] = -> { pushed(mapped, MOST) }
log.each { |name, queue| figures[name] = -> { pushed(queue, name == "every_push" ? SYNCS : MOST) } }

warm_up do
  pushed(mapped, MOST)
  log.each { |name, queue| pushed(queue, name == "every_push" ? SYNCS : MOST) }
end
figures.each_value(&:call)
measure(figures)
mapped.purge
log.each_value(&:purge)
