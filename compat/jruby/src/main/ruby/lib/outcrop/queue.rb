# frozen_string_literal: true

require_relative "errors"
require_relative "serializers"

module Outcrop
  # A queue that keeps its items in files, with the methods of Ruby's own Queue. The methods that are not here are written in Java
  # (RubyQueue.java): push, pop, poll, each, process, consumer, close and others. One process has a queue open at a time; all of its threads
  # may use it.
  class Queue
    # path:         the directory of the queue's files; made if there is none
    # serializer:   :string (items are strings), :marshal, :json, :msgpack, or an object that answers serialize and deserialize
    # group:        the name of the consumers that pop takes items for
    # durability:   :page_cache (what was pushed survives the end of the process, however that comes), :every_push (push returns when the
    #               item is on the disk), :group_commit (items wait for the disk at most 10 ms or 1 MiB), or
    #               { interval: seconds, bytes: number }
    # max:          of a SizedQueue
    # max_bytes:    push waits while some group has so much ahead of it
    # segment_size: size of the files of a new queue; an item must fit into one
    # verify:       :first_read (the checksum of an item that was in the files before is computed when it is read first), or :always
    def initialize(directory = nil, path: directory, serializer: :string, group: "default", durability: :page_cache, max_bytes: nil,
                   segment_size: nil, max: nil, verify: :first_read)
      raise ArgumentError, "path: is missing, the directory for the queue's files" unless path

      raise ArgumentError, "verify: must be :first_read or :always, not #{verify.inspect}" unless %i[first_read always].include?(verify)

      interval, bytes = commit(durability)
      open_queue(File.expand_path(path), Serializers.find(serializer), group.to_s, interval, bytes, max_bytes, segment_size, max,
                 verify)
    end

    # Opens a queue for a block, and shuts it down behind it.
    def self.open(...)
      queue = new(...)
      return queue unless block_given?

      begin
        yield queue
      ensure
        queue.shutdown
      end
    end

    # Shuts the queue down and deletes its files, unless they are open again elsewhere. What else is in the directory stays.
    def purge
      shutdown
      delete_files
    end

    def inspect
      "#<#{self.class} #{path}#{' (closed)' if closed?}>"
    end

    # As Ruby's own.
    def freeze
      raise TypeError, "cannot freeze #{inspect}"
    end

    # As Ruby's own.
    def marshal_dump
      raise TypeError, "can't dump #{self.class}"
    end

    private

    # How long an item waits for the disk at most, in seconds, and how many bytes do; nothing if that is up to the operating system.
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

  # A queue that takes so many items and then lets push wait. What was pushed since it was opened is in memory too: pop returns the very
  # object that was pushed, and reads nothing.
  class SizedQueue < Queue
    def initialize(max, directory = nil, **options)
      raise ArgumentError, "SizedQueue.new takes its bound as first argument, #{max.inspect}, not also as max:" if options.key?(:max)

      super(directory, max: Integer(max), **options)
    end

    # Changes the bound. What is in the queue stays, also if that is more.
    def max=(max)
      change_max(max)
    end
  end
end
