# frozen_string_literal: true

require "timeout"
require_relative "test_helper"

# Tests module Mmap with 1 to 4 producers and 1 to 4 consumers, and with threads that are ended. No item is lost, duplicated, or out of
# order.
class MmapStressTest < OutcropTest
  ITEMS = 300
  # Turns a hang into a failure. In seconds.
  HANG = 300

  # A serializer in Ruby, for arrays of numbers.
  class Numbers
    def serialize(item) = item.inspect

    def deserialize(string) = string.delete("[]").split(",").map(&:to_i)
  end

  HANDLERS = {
    "PageCache" => ->(path) { Mmap::PageCache.new(path, page_size: 2048) },
    "SinglePage" => ->(path) { Mmap::SinglePage.new(path, page_size: 512) },
    # The page is so small that records are overwritten all the time. A SizedQueue loses nothing, because its objects are in memory.
    "OverwrittenPage" => ->(path) { Mmap::SinglePage.new(path, page_size: 40, overwrite: true) }
  }.freeze
  QUEUES = {
    "Queue" => ->(pages) { Mmap::Queue.new(page_handler: pages, serializer: Numbers.new) },
    "SizedQueue" => ->(pages) { Mmap::SizedQueue.new(7, page_handler: pages, serializer: Numbers.new) }
  }.freeze

  def setup
    super
    @queues = []
  end

  def teardown
    @queues.each(&:close)
    super
  end

  def open_queue(type, handler)
    QUEUES[type].call(HANDLERS[handler].call(path("queue"))).tap { |queue| @queues << queue }
  end

  def join(threads)
    threads.map do |thread|
      thread.join(HANG) or flunk("A thread hangs:\n#{thread.backtrace&.join("\n")}")
      thread.value
    end
  end

  # Returns a consumer's items, up to the item that ends the consumer.
  def consume(queue)
    got = []
    while (item = queue.pop) != [-1]
      got << item
    end
    got
  end

  def assert_whole(got, producers, count)
    assert_equal(Array.new(producers) { |producer| Array.new(count) { |i| [producer, i] } }.flatten(1), got.flatten(1).sort)
    got.each do |items|
      items.group_by(&:first).each_value { |of_one| assert_equal of_one.sort, of_one }
    end
  end

  QUEUES.each_key do |type|
    HANDLERS.each_key do |handler|
      next if type == "Queue" && handler == "OverwrittenPage"

      some((1..4).to_a.product((1..4).to_a), 1).each do |producers, consumers|
        define_method("test_#{type}_with_#{handler}_#{producers}_producers_#{consumers}_consumers") do
          queue = open_queue(type, handler)
          taking = Array.new(consumers) { Thread.new { consume(queue) } }
          join(Array.new(producers) { |producer| Thread.new { ITEMS.times { |i| queue.push([producer, i]) } } })
          consumers.times { queue.push([-1]) }
          assert_whole(join(taking), producers, ITEMS)
          assert_empty queue
        end
      end

      # A thread can only be ended while it blocks. It counts each step before it blocks again, so that the counts are exact.
      define_method("test_threads_of_#{type}_with_#{handler}_that_are_ended") do
        queue = open_queue(type, handler)
        is_over = false
        pushed = Array.new(2) { 0 }
        got = Array.new(2) { [] }
        roles = [
          *Array.new(2) { |i| -> { queue.size > 20 ? sleep(0.0001) : queue.push([i, pushed[i]]) && pushed[i] += 1 } },
          *Array.new(2) { |i| -> { (got[i] << queue.pop).size % 50 == 0 && sleep(0.0001) } }
        ]
        random = Random.new(SEED)
        workers = roles.map { |role| start_worker(role) { is_over } }
        rounds = 0
        until rounds >= TestSize.choose("outcrop.stress.rounds", 30, 300) && pushed.sum > 100
          rounds += 1
          sleep(random.rand * 0.001)
          i = random.rand(4)
          case random.rand(3)
          when 0 then workers[i].kill
          else workers[i].raise(KeyError)
          end
          join([workers[i]])
          workers[i] = start_worker(roles[i]) { is_over }
        end
        is_over = true
        # Ends the waiting threads, then pops the remaining items.
        workers.each { |worker| worker.raise(KeyError) }
        join(workers)
        rest = []
        rest << queue.pop(true) until queue.empty?
        assert_equal(pushed.each_with_index.flat_map { |count, i| Array.new(count) { |j| [i, j] } }, (got.flatten(1) + rest).sort)
      end

      define_method("test_threads_of_#{type}_with_#{handler}_whose_time_is_up") do
        queue = open_queue(type, handler)
        popping = Thread.new { consume(queue) }
        attempts = 0
        # Grows on a busy machine, until some pushes are in time.
        seconds = 0.0005
        pushed = []
        until pushed.size == ITEMS
          begin
            # A push that times out may still have added its item.
            Timeout.timeout(seconds) { pushed << attempts if queue.push([0, attempts += 1]) }
          rescue Timeout::Error
            seconds *= 1.001
          end
        end
        queue.push([-1])
        got = join([popping]).first.map(&:last)
        assert_equal got.uniq.sort, got
        assert_empty pushed - got
        assert_operator got.last, :<=, attempts
      end
    end
  end

  def start_worker(role)
    Thread.new do
      Thread.current.report_on_exception = false
      Thread.handle_interrupt(Object => :on_blocking) { role.call until yield }
    rescue KeyError
      nil
    end
  end
end
