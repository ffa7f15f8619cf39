# frozen_string_literal: true

# The interface of the gems jruby-mmap and jruby-mmap-queues. This file has the constructors. The rest is written in Java.
module Mmap
  DEFAULT_PAGE_SIZE = 100 * 1024 * 1024

  # A constructor takes its options as a Hash after its other arguments. Keyword parameters would refuse a Hash in braces or in a variable,
  # and programs of 2015 use both.
  module Options
    # Returns the values of the known options, in the order of their defaults. Unknown options are ignored: programs of 2015 pass :debug,
    # for example.
    def self.read(options, **defaults)
      given = Hash.try_convert(options)
      raise TypeError, "the options must be a Hash such as { page_size: 1024 }, not #{options.inspect}" unless given

      defaults.map do |name, default|
        value = given.fetch(name, nil)
        value.nil? ? default : value
      end
    end
  end
  private_constant :Options

  # A memory-mapped file with a position. It ignores all options.
  class ByteBuffer
    def initialize(path, size, options = {})
      Options.read(options)
      map(path, size)
    end
  end

  # Any number of page files. cache_size of them stay mapped. A page that was read to its end is deleted or reused.
  class PageCache
    def initialize(path, options = {})
      page_size, cache_size = Options.read(options, page_size: DEFAULT_PAGE_SIZE, cache_size: 2)
      open_cache(path, page_size, cache_size)
    end
  end

  # One page file, used as a ring. Only records that were read are overwritten; with overwrite: true, the oldest records are overwritten.
  class SinglePage
    def initialize(path, options = {})
      page_size, overwrite = Options.read(options, page_size: DEFAULT_PAGE_SIZE, overwrite: false)
      open_ring(path, page_size, overwrite)
    end
  end

  # A queue of strings in pages. It is not thread-safe, and never blocks. It ignores all options.
  class PagedQueue
    include Enumerable

    def initialize(page_handler, options = {})
      Options.read(options)
      open(page_handler)
    end
  end

  # A thread-safe queue of objects in pages. It has no bound, but push waits while a SinglePage is full.
  class Queue
    def initialize(options = {})
      path, page_handler, serializer = Options.read(options, path: "queue.dat", page_handler: nil, serializer: nil)
      open(page_handler || PageCache.new(path), serializer)
    end
  end

  # A thread-safe, bounded queue of objects in memory and in pages.
  class SizedQueue
    def initialize(size, options = {})
      raise ArgumentError, "the size of a queue must be positive, but is #{size.inspect}" unless size.is_a?(Integer) && size.positive?

      path, page_handler, serializer = Options.read(options, path: "sized_queue.dat", page_handler: nil, serializer: nil)
      open(size, page_handler || PageCache.new(path), serializer)
    end
  end
end
