# frozen_string_literal: true

# What it costs to have items on the disk: forced after so many pushes, and by the durability of Outcrop::Queue.

require_relative "bench"

ITEM = ("x" * number("itemBytes")).freeze
# A figure takes so many syncs, unless these are rare.
SYNCS = number("syncs")
MOST = number("items")

def drain(queue)
  queue.pop until queue.empty?
end

def forced(queue, every)
  count = [every * SYNCS, MOST].min
  nanos = nanos_each(count) do
    (count / every).times do
      push(queue, ITEM, every)
      queue.force
    end
  end
  drain(queue)
  nanos
end

def pushed(queue, count)
  nanos = nanos_each(count) { push(queue, ITEM, count) }
  drain(queue)
  nanos
end

# A record into its page, and, if there is one, its place into the metadata: in this order, each of them on the disk before the next step.
def stored(page, meta)
  page.position = 0
  nanos_each(SYNCS) do
    SYNCS.times do
      page.put_bytes(ITEM)
      page.force
      meta&.put_int(page.position, 0)
      meta&.force
    end
  end
end

mapped = Mmap::Queue.new(page_handler: Mmap::PageCache.new(path("mmap"), page_size: 16 << 20))
log = { "page_cache" => :page_cache, "group_commit" => :group_commit, "every_push" => :every_push }
      .transform_values { |durability| Outcrop::Queue.new(path: path(durability.to_s), durability: durability) }
page = Mmap::ByteBuffer.new(path("page"), SYNCS * ITEM.bytesize)
meta = Mmap::ByteBuffer.new(path("meta"), 2048)

figures = [1, 10, 100, 1000].to_h { |every| ["every-#{every}", -> { forced(mapped, every) }] }
figures["never"] = -> { pushed(mapped, MOST) }
log.each { |name, queue| figures[name] = -> { pushed(queue, name == "every_push" ? SYNCS : MOST) } }
figures["page"] = -> { stored(page, nil) }
figures["page+meta"] = -> { stored(page, meta) }

warm_up do
  pushed(mapped, MOST)
  log.each { |name, queue| pushed(queue, name == "every_push" ? SYNCS : MOST) }
end
figures.each_value(&:call)
measure(figures)
mapped.purge
log.each_value(&:purge)
