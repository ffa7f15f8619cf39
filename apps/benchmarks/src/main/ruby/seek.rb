# frozen_string_literal: true

# The cost of getting items to the disk if each wait for the disk takes seekMicros longer, as with seek.c.

require_relative "bench"

ITEM = ("x" * number("itemBytes")).freeze
# SYNCS is the number of waits for the disk per figure and thread. MOST is the number of items of a figure that waits once or never.
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

# Fails if seek.c has no effect on this machine. Otherwise the figures would show that seeks cost nothing.
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
