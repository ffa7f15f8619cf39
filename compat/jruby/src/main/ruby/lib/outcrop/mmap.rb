# frozen_string_literal: true

# The interface of the gems jruby-mmap and jruby-mmap-queues: constructors with options; everything else is written in Java.
module Mmap
  DEFAULT_PAGE_SIZE = 100 * 1024 * 1024

  # The options of a constructor are a Hash behind its other arguments. They are no keyword parameters, because those refuse a Hash in
  # braces or in a variable, and programs of 2015 have both.
  module Options
    # The values of those that are known, in the order of their defaults. The others are ignored: programs of 2015 pass :debug, for example.
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

  # A file in memory, with a position. It has no options of its own.
  class ByteBuffer
    def initialize(path, size, options = {})
      Options.read(options)
      map(path, size)
    end
  end

  # Any number of page files, of which cache_size stay mapped. A page that was read to its end is deleted.
  class PageCache
    def initialize(path, options = {})
      page_size, cache_size = Options.read(options, page_size: DEFAULT_PAGE_SIZE, cache_size: 2)
      open_cache(path, page_size, cache_size)
    end
  end

  # One page file, written again and again from its start. Only what was read is written over, or with overwrite: true what is oldest.
  class SinglePage
    def initialize(path, options = {})
      page_size, overwrite = Options.read(options, page_size: DEFAULT_PAGE_SIZE, overwrite: false)
      open_ring(path, page_size, overwrite)
    end
  end

  # Strings in pages; not thread-safe, never blocks. It has no options of its own.
  class PagedQueue
    include Enumerable

    def initialize(page_handler, options = {})
      Options.read(options)
      open(page_handler)
    end
  end

  # Objects in pages; thread-safe, unbounded.
  class Queue
    def initialize(options = {})
      path, page_handler, serializer = Options.read(options, path: "queue.dat", page_handler: nil, serializer: nil)
      open(page_handler || PageCache.new(path), serializer)
    end
  end

  # Objects in memory, up to a bound, and in pages; thread-safe.
  class SizedQueue
    def initialize(size, options = {})
      raise ArgumentError, "the size of a queue must be positive, but is #{size.inspect}" unless size.is_a?(Integer) && size.positive?

      path, page_handler, serializer = Options.read(options, path: "sized_queue.dat", page_handler: nil, serializer: nil)
      open(size, page_handler || PageCache.new(path), serializer)
    end
  end
end
