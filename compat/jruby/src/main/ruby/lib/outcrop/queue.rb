# frozen_string_literal: true

require_relative "errors"
require_relative "serializers"

module Outcrop
  # A queue that keeps its items in files, with the methods of Ruby's own Queue. The other methods are written in Java (RubyQueue.java):
  # push, pop, poll, each, process, consumer, close and others. Only one process at a time can open a queue. All threads of that process may
  # use it.
  class Queue
    # path:         the directory of the queue's files; created if it does not exist
    # serializer:   :string (items are strings), :marshal, :json, :msgpack, or an object that responds to serialize and deserialize
    # group:        the consumer group that pop takes items for
    # durability:   :page_cache (pushed items survive the end of the process, even a kill), :every_push (push returns when the item is
    #               on the disk), :group_commit (items wait for the disk at most 10 ms or 1 MiB), or
    #               { interval: seconds, bytes: number }
    # max:          the bound of a SizedQueue
    # max_bytes:    push waits while the bytes from the first item that a group has not acknowledged to the end would exceed this limit
    # segment_size: the size of the files of a new queue; an item must fit into one file
    # verify:       :first_read (checks an item that was in the files when the queue was opened, at its first read), or :always
    def initialize(directory = nil, path: directory, serializer: :string, group: "default", durability: :page_cache, max_bytes: nil,
                   segment_size: nil, max: nil, verify: :first_read)
      raise ArgumentError, "path: is missing, the directory for the queue's files" unless path

      raise ArgumentError, "verify: must be :first_read or :always, not #{verify.inspect}" unless %i[first_read always].include?(verify)

      interval, bytes = commit(durability)
      open_queue(File.expand_path(path), Serializers.find(serializer), group.to_s, interval, bytes, max_bytes, segment_size, max,
                 verify)
    end

    # Opens a queue for the block, and shuts it down after the block. Without a block, returns the open queue.
    def self.open(...)
      queue = new(...)
      return queue unless block_given?

      begin
        yield queue
      ensure
        queue.shutdown
      end
    end

    # Shuts the queue down and deletes its files. Raises Locked if the queue is open elsewhere. Other files in the directory stay.
    def purge
      shutdown
      delete_files
    end

    def inspect
      "#<#{self.class} #{path}#{' (closed)' if closed?}>"
    end

    # Raises TypeError, like Ruby's own Queue.
    def freeze
      raise TypeError, "cannot freeze #{inspect}"
    end

    # Raises TypeError, like Ruby's own Queue.
    def marshal_dump
      raise TypeError, "can't dump #{self.class}"
    end

    private

    # Returns how many seconds an item waits for the disk at most, and how many bytes wait at most; nil if the operating system decides.
    def commit(durability)
      case durability
      when :page_cache then [nil, nil]
      when :every_push, :every_append then [0, 1]
      when :group_commit then [0.01, 1 << 20]
      else
        interval, bytes = durability.values_at(:interval, :bytes) if durability.is_a?(Hash) && (durability.keys - %i[interval bytes]).empty?
        return [interval, bytes || (1 << 20)] if interval.is_a?(Numeric)

        raise ArgumentError, "durability: must be :page_cache, :group_commit, :every_push " \
                             "or { interval: seconds, bytes: number }, not #{durability.inspect}"
      end
    end
  end

  # A queue with a bound: push waits while the queue is full. Items that were pushed since the queue was opened are also kept in memory. For
  # these, pop returns the very object that was pushed, and reads no file.
  class SizedQueue < Queue
    def initialize(max, directory = nil, **options)
      raise ArgumentError, "SizedQueue.new takes its bound as first argument, #{max.inspect}, not also as max:" if options.key?(:max)

      super(directory, max: Integer(max), **options)
    end

    # Changes the bound. All items stay in the queue, even if they exceed the new bound.
    def max=(max)
      change_max(max)
    end
  end
end
