# frozen_string_literal: true

require_relative "test_helper"

# Tests with 1 to 4 producers and 1 to 4 consumers. No item is lost, duplicated, or out of its producer's order.
class QueueStressTest < OutcropTest
  ITEMS = 3_000

  # Returns each consumer's items, in the order in which the consumer got them.
  def run_threads(queue, producers, consumers, take)
    taking = Array.new(consumers) { Thread.new { [].tap { |got| take.call(queue, got) } } }
    pushing = Array.new(producers) do |producer|
      Thread.new { ITEMS.times { |i| queue.push("#{producer}:#{i}") } }
    end
    pushing.each(&:join)
    queue.close
    taking.map(&:value)
  end

  def assert_whole(got, producers)
    all = got.flatten.group_by(&:itself)
    assert_equal producers * ITEMS, all.size
    assert(all.values.all? { |same| same.size == 1 })
    got.each do |items|
      items.map { |item| item.split(":").map(&:to_i) }.group_by(&:first).each_value do |of_one|
        numbers = of_one.map(&:last)
        assert_equal numbers.sort, numbers
      end
    end
  end

  TAKES = {
    "pop" => lambda do |queue, got|
      while (item = queue.pop)
        got << item
      end
    end,
    "process" => ->(queue, got) { queue.process { |item| got << item } },
    "poll" => lambda do |queue, got|
      while (delivery = queue.poll)
        got << delivery.item
        delivery.ack
      end
    end
  }.freeze

  TAKES.each do |name, take|
    numbers = (1..4).to_a
    some(name == "pop" ? numbers.product(numbers) : numbers.zip(numbers), 1).each do |producers, consumers|
      define_method("test_queue_#{producers}_producers_#{consumers}_consumers_#{name}") do
        queue = Outcrop::Queue.new(path("queue"), segment_size: 1 << 16, max_bytes: 1 << 18)
        assert_whole(run_threads(queue, producers, consumers, take), producers)
      end

      define_method("test_sized_queue_#{producers}_producers_#{consumers}_consumers_#{name}") do
        queue = Outcrop::SizedQueue.new([1, 7, 100, 1024][(producers + consumers) % 4], path("queue"), segment_size: 1 << 16)
        assert_whole(run_threads(queue, producers, consumers, take), producers)
      end
    end
  end

  def test_threads_share_the_consumer_of_a_group
    queue = Outcrop::Queue.new(path("queue"))
    audit = queue.consumer("audit")
    taking = Array.new(3) { Thread.new { [].tap { |got| audit.each { |item| got << item } } } }
    pushing = Thread.new { ITEMS.times { |i| queue.push("0:#{i}") } }
    pushing.join
    queue.close
    assert_whole(taking.map(&:value), 1)
    queue.shutdown
  end

  def test_items_that_blocks_fail_at_come_again
    queue = Outcrop::SizedQueue.new(50, path("queue"))
    done = ::Queue.new
    workers = Array.new(3) do |i|
      random = Random.new(i)
      Thread.new do
        queue.process do |item|
          raise IOError if random.rand < 0.1

          done << item
        end
      rescue IOError
        retry
      end
    end
    1000.times { |i| queue << i.to_s }
    Thread.pass until done.size >= 1000
    queue.close
    workers.each(&:join)
    assert_equal (0...1000).map(&:to_s).sort, Array.new(done.size) { done.pop }.sort
  end

  def test_threads_that_are_killed_while_they_wait_lose_nothing
    queue = Outcrop::SizedQueue.new(3, path("queue"))
    got = ::Queue.new
    random = Random.new(1)
    stop = false
    consumers = Array.new(3) { Thread.new { got << queue.pop until stop } }
    producer = Thread.new { 2000.times { |i| queue << i.to_s } }
    100.times do
      idle = Thread.new { queue.process { |item| got << item } }
      sleep(random.rand * 0.002)
      # The thread may be killed in its block, before or after it adds the item. The test only checks that no item is lost.
      idle.kill.join
    end
    producer.join
    Thread.pass until queue.empty?
    stop = true
    queue.close
    consumers.each(&:join)
    all = Array.new(got.size) { got.pop }.compact
    assert_equal (0...2000).map(&:to_s).sort, all.uniq.sort
  end
end
