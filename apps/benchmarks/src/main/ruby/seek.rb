# frozen_string_literal: true

# What items that are to be on the disk cost if each wait for it takes so much longer, see seek.c.

require_relative "bench"

ITEM = ("x" * number("itemBytes")).freeze
# A figure takes so many waits, or so many items if it waits for them once or never.
SYNCS = number("syncs")
MOST = number("items")
THREADS = 8
SEEK_NANOS = number("seekMicros") * 1000

def pushed(queue, count)
  nanos = nanos_each(count) do
    push(queue, ITEM, count)
    yield
  end
  drain(queue)
  nanos
end

def pushed_by_threads(queue)
  nanos = nanos_each(THREADS * SYNCS) do
    Array.new(THREADS) { Thread.new { push(queue, ITEM, SYNCS) } }.each(&:join)
  end
  drain(queue)
  nanos
end

# Without this, a machine where nothing takes the place of these functions would show that seeks cost nothing.
def slow(nanos)
  raise "an item on the disk took #{nanos} ns, although a wait for it takes #{SEEK_NANOS} longer" if nanos < SEEK_NANOS

  nanos
end

mapped = Mmap::Queue.new(page_handler: Mmap::PageCache.new(path("mmap"), page_size: 16 << 20))
each_push = Outcrop::Queue.new(path: path("each"), durability: :every_push)
group = Outcrop::Queue.new(path: path("group"), durability: :group_commit)
memory = Outcrop::Queue.new(path: path("memory"), durability: :page_cache)

figures = {
  "mmap-1" => -> { slow(forced(mapped, ITEM, 1, SYNCS)) },
  "mmap-100" => -> { forced(mapped, ITEM, 100, SYNCS) },
  "mmap-never" => -> { pushed(mapped, MOST) {} },
  "every_push-1" => -> { slow(pushed(each_push, SYNCS) {}) },
  "every_push-8" => -> { pushed_by_threads(each_push) },
  "group_commit" => -> { pushed(group, MOST) { group.sync } },
  "page_cache" => -> { pushed(memory, MOST) {} }
}
unhurried = %w[mmap-never group_commit page_cache]
warm_up { figures.values_at(*unhurried).each(&:call) }
figures.each_value(&:call)
measure(figures)
mapped.purge
[each_push, group, memory].each(&:purge)
