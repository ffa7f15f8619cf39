# frozen_string_literal: true

# The interface of the gems jruby-mmap and jruby-mmap-queues: constructors with keywords; everything else is written in Java.
module Mmap
  DEFAULT_PAGE_SIZE = 100 * 1024 * 1024

  # Any number of page files, of which cache_size stay mapped. A page that was read to its end is deleted.
  class PageCache
    def initialize(path, page_size: DEFAULT_PAGE_SIZE, cache_size: 2)
      open_cache(path, page_size, cache_size)
    end
  end

  # One page file, written again and again from its start. Only what was read is written over.
  class SinglePage
    def initialize(path, page_size: DEFAULT_PAGE_SIZE)
      open_ring(path, page_size)
    end
  end

  # Strings in pages; not thread-safe, never blocks.
  class PagedQueue
    include Enumerable
  end

  # Objects in pages; thread-safe, unbounded.
  class Queue
    def initialize(path: "queue.dat", page_handler: nil, serializer: nil)
      open(page_handler || PageCache.new(path), serializer)
    end
  end

  # Objects in memory, up to a bound, and in pages; thread-safe.
  class SizedQueue
    def initialize(size, path: "sized_queue.dat", page_handler: nil, serializer: nil)
      raise ArgumentError, "the size of a queue must be positive, but is #{size.inspect}" unless size.is_a?(Integer) && size.positive?

      open(size, page_handler || PageCache.new(path), serializer)
    end
  end
end
