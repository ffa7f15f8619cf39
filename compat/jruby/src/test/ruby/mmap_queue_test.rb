# frozen_string_literal: true

require "timeout"
require_relative "page_files"
require_relative "test_helper"

# Shared tests for Mmap::Queue and Mmap::SizedQueue.
module MmapQueueTests
  include PageFiles

  # Serializes Ruby objects.
  class MarshalSerializer
    def serialize(object) = Marshal.dump(object)

    def deserialize(string) = Marshal.load(string)
  end

  def teardown
    @queue&.close
    super
  end

  # Raises a given error, as Java code that a serializer calls can do.
  class Failing
    attr_accessor :error

    def serialize(object)
      object
    end

    def deserialize(string)
      raise error if error

      string
    end
  end

  def test_what_a_serializer_throws_is_raised_as_it_is
    errors = [Java::java.lang.IllegalStateException.new("mine"), Java::java.lang.IllegalArgumentException.new("mine"),
              Java::java.lang.IndexOutOfBoundsException.new("mine"), Java::java.lang.InternalError.new("mine"),
              Java::java.io.IOException.new("mine"), KeyError.new("mine")]
    serializer = Failing.new
    @queue = open_queue(serializer: serializer)
    @queue << "a"
    @queue.close
    errors.each do |error|
      serializer.error = error
      thrown = assert_raises(error.class) do
        @queue = open_queue(serializer: serializer)
        @queue.pop
      end
      assert_same error, thrown
    end
    serializer.error = nil
    @queue = open_queue(serializer: serializer)
    assert_equal "a", @queue.pop
  end

  def assert_taken_over(old)
    [-> { old.push("x") }, -> { old.pop }, -> { old.pop(true) }, -> { old.size }, -> { old.clear }, -> { old.purge }].each do |call|
      error = assert_raises(IOError, &call)
      assert_includes error.message, "closed: another queue was opened on its path"
      assert_includes error.message, @directory
    end
    old.close
  end

  def test_opening_a_path_again_gives_its_items
    old = open_queue
    old << "a" << "b"
    @queue = open_queue
    assert_equal "a", @queue.pop
    assert_taken_over(old)
    @queue << "c"
    assert_equal %w[b c], [@queue.pop, @queue.pop]
    @queue << "d"
    @queue.close
    # Opens the same files under another path.
    FileUtils.mkdir(path("other"))
    @queue = open_queue(page_handler: Mmap::PageCache.new(File.join(path("other"), "..", "queue"), page_size: 4096))
    old = @queue
    @queue = open_queue
    assert_taken_over(old)
    assert_equal "d", @queue.pop
  end

  def test_who_waits_in_a_queue_that_is_taken_over_is_told
    old = open_queue
    waiting = Array.new(2) { Thread.new { old.pop } }
    waiting.each { |thread| thread.report_on_exception = false }
    Thread.pass until waiting.all? { |thread| thread.status == "sleep" }
    @queue = open_queue
    waiting.each { |thread| assert_includes assert_raises(IOError) { thread.value }.message, "another queue was opened" }
    @queue << "a"
    assert_equal "a", @queue.pop
  end

  def test_a_queue_that_is_taken_over_while_it_is_used_loses_nothing
    rounds = 20
    pushed = []
    queue = open_queue
    pushing = Thread.new do
      until rounds.zero?
        begin
          queue.push(pushed.size.to_s)
        rescue IOError
          retry
        end
        pushed << pushed.size.to_s
      end
    end
    popped = []
    until rounds.zero?
      sleep(0.001)
      queue = open_queue
      popped << queue.pop
      rounds -= 1
    end
    while pushing.alive? || !queue.empty?
      queue.empty? ? Thread.pass : popped << queue.pop
    end
    @queue = queue
    assert_equal pushed, popped
  end

  def test_the_queue_that_gets_a_page_handler_again_has_the_items
    handler = Mmap::PageCache.new(path("queue"), page_size: 4096)
    old = open_queue(page_handler: handler)
    old << "a" << "b"
    @queue = open_queue(page_handler: handler)
    assert_equal "a", @queue.pop
    assert_taken_over(old)
    assert_equal 1, handler.meta.size
    @queue.close
    paged = Mmap::PagedQueue.new(Mmap::PageCache.new(path("queue"), page_size: 4096))
    assert_equal ["b"], paged.to_a
    paged.close
  end

  def test_purge_leaves_the_files_to_who_has_them_open
    old = open_queue
    old.close
    @queue = open_queue
    @queue << "a"
    assert_includes assert_raises(Mmap::PageHandlerError) { old.purge }.message, path("queue")
    @queue.close
    @queue = open_queue
    assert_equal "a", @queue.pop
  end

  def test_first_in_first_out
    @queue = open_queue
    assert_predicate @queue, :empty?
    assert_same @queue, @queue.push("a")
    @queue << "b" << "c"
    assert_equal 3, @queue.size
    assert_equal 3, @queue.length
    refute_predicate @queue, :empty?
    assert_equal %w[a b c], [@queue.pop, @queue.shift, @queue.pop(true)]
    assert_predicate @queue, :empty?
  end

  def test_pop_without_blocking
    @queue = open_queue
    assert_equal "queue empty", assert_raises(ThreadError) { @queue.pop(true) }.message
    assert_raises(ThreadError) { @queue.shift(true) }
    @queue.push("a")
    assert_equal "a", @queue.pop(true)
  end

  def test_closing_the_handler_wakes_those_who_wait
    handler = Mmap::SinglePage.new(path("closed"), page_size: 64)
    queue = open_queue(page_handler: handler)
    consumer = Thread.new { queue.pop }
    consumer.report_on_exception = false
    Thread.pass until consumer.status == "sleep"
    handler.close
    assert_raises(IOError) { consumer.value }
  end

  def test_pop_blocks
    @queue = open_queue
    consumer = Thread.new { [@queue.pop, @queue.pop(false)] }
    Thread.pass until consumer.status == "sleep"
    @queue.push("a")
    @queue.push("b")
    assert_equal %w[a b], consumer.value
  end

  def test_blocked_threads_can_be_ended
    @queue = open_queue
    consumer = Thread.new { @queue.pop }
    Thread.pass until consumer.status == "sleep"
    consumer.kill
    consumer.join
    assert_raises(Timeout::Error) { Timeout.timeout(0.1) { @queue.pop } }
    raised = Thread.new do
      @queue.pop
    rescue KeyError => e
      e
    end
    Thread.pass until raised.status == "sleep"
    raised.raise(KeyError)
    assert_kind_of KeyError, raised.value
    @queue.push("a")
    assert_equal "a", @queue.pop
  end

  def test_close_ends_blocked_threads
    @queue = open_queue
    consumers = Array.new(3) do
      Thread.new do
        @queue.pop
      rescue IOError => e
        e.message
      end
    end
    Thread.pass until consumers.all? { |consumer| consumer.status == "sleep" }
    assert_nil @queue.close
    consumers.each { |consumer| assert_match(/closed/, consumer.value) }
    assert_nil @queue.close
    [-> { @queue.push("a") }, -> { @queue.pop }, -> { @queue.pop(true) }, -> { @queue.clear }].each { |call| assert_raises(IOError, &call) }
  end

  def test_is_there_again
    @queue = open_queue
    %w[a b c].each { |item| @queue.push(item) }
    @queue.pop
    @queue.close
    @queue = open_queue
    assert_equal 2, @queue.size
    assert_equal %w[b c], [@queue.pop, @queue.pop]
    assert_predicate @queue, :empty?
  end

  def test_what_a_power_cut_has_left_can_be_popped
    page_size = 64
    { Mmap::PageCache => %w[a b], Mmap::SinglePage => [] }.each do |handler, left|
      open = -> { open_queue(page_handler: handler.new(path(handler.name), page_size: page_size)) }
      queue = open.call
      %w[a b].each { |item| queue.push(item * 24) }
      queue.push("c" * 24) if handler == Mmap::PageCache
      queue.close
      File.delete(path("#{handler.name}.#{left.empty? ? 0 : 1}"))
      _, warning = capture_io { queue = open.call }
      assert_match(/#{handler.name}\.\d is missing/, warning)
      assert_match(/#{left.empty? ? "2 of the 2" : "1 of the 3"} items/, warning)
      assert_equal left.size, queue.size
      queue.push("d")
      assert_equal [*left.map { |item| item * 24 }, "d"], Array.new(left.size + 1) { queue.pop }
      queue.purge
    end
  end

  def test_is_what_a_paged_queue_holds
    @queue = open_queue
    @queue << "a" << "b"
    @queue.force
    @queue.close
    assert_equal page_bytes("a", "b"), read_page("queue", 0)[0, 14]
    assert_equal PageFiles::Meta.new(0, 10, 0, 0, 2), read_meta("queue")
  end

  def test_a_serializer
    @queue = open_queue(serializer: MarshalSerializer.new)
    items = [nil, 1, :symbol, { "key" => [1.5, "é"] }, "", "string"]
    items.each { |item| @queue.push(item) }
    assert_nil @queue.pop
    @queue.close
    @queue = open_queue(serializer: MarshalSerializer.new)
    assert_equal items[1..], Array.new(5) { @queue.pop }
  end

  def test_a_serializer_that_fails
    failing = Object.new
    def failing.serialize(object) = object.fetch(:serialized)

    def failing.deserialize(_string) = raise("cannot be read")
    @queue = open_queue(serializer: failing)
    assert_raises(KeyError) { @queue.push({}) }
    assert_raises(TypeError) { @queue.push({ serialized: 1 }) }
    assert_predicate @queue, :empty?
    @queue.push({ serialized: "a" })
    assert_equal 1, @queue.size
  end

  def test_without_a_serializer_only_strings
    @queue = open_queue
    assert_raises(TypeError) { @queue.push(1) }
    assert_raises(Mmap::PageHandlerError) { @queue.push("") }
    assert_raises(Mmap::PageHandlerError) { @queue.push("x" * 10_000) }
    assert_predicate @queue, :empty?
  end

  def test_clear
    @queue = open_queue
    @queue << "a" << "b"
    assert_same @queue, @queue.clear
    assert_equal 0, @queue.size
    @queue << "c"
    @queue.close
    @queue = open_queue
    assert_equal "c", @queue.pop(true)
    assert_raises(ThreadError) { @queue.pop(true) }
  end

  def test_purge
    @queue = open_queue
    @queue << "a"
    assert_nil @queue.purge
    assert_empty files
    @queue = open_queue
    @queue << "a"
    @queue.close
    @queue.purge
    assert_empty files
  end

  def test_a_full_single_page_blocks
    @queue = open_queue(page_handler: Mmap::SinglePage.new(path("single"), page_size: 64))
    @queue.push("a" * 40)
    producer = Thread.new { @queue.push("b" * 40) }
    Thread.pass until producer.status == "sleep"
    assert_equal 1, @queue.size
    assert_equal "a" * 40, @queue.pop
    producer.join
    assert_equal "b" * 40, @queue.pop
  end

  def open_ring(**options)
    @ring = Mmap::SinglePage.new(path("ring"), page_size: 64, overwrite: true)
    open_queue(page_handler: @ring, **options)
  end

  def test_a_page_that_is_written_over_never_blocks
    @queue = open_ring
    waiting = Thread.new { @queue.pop }
    Thread.pass until waiting.status == "sleep"
    @queue << "0"
    assert_equal "0", waiting.value
    (1..9).each { |index| @queue << index.to_s * 12 } # 16 bytes each, three per lap
    assert_equal 3, @ring.meta.size
    @queue.close
    @queue = open_ring
    assert_equal %w[7 8 9].map { |digit| digit * 12 }, Array.new(3) { @queue.pop }
    assert_predicate @queue, :empty?
  end

  def test_a_page_is_also_written_over_by_the_next_queue
    old = open_ring
    old << "old"
    @queue = open_queue(page_handler: @ring)
    assert_taken_over(old)
    5.times { |index| @queue << index.to_s * 40 }
    assert_equal 1, @ring.meta.size
    paged = Mmap::PagedQueue.new(@ring)
    assert_equal ["4" * 40], paged.to_a
    paged.close
  end

  def test_needs_a_page_handler
    assert_raises(TypeError) { open_queue(page_handler: "queue") }
    assert_raises(IOError) { self.class::TYPE.allocate.pop }
  end

  def test_many_producers_and_consumers
    handlers = [-> { Mmap::PageCache.new(path("stress"), page_size: 2000) }, -> { Mmap::SinglePage.new(path("stress"), page_size: 2000) }]
    handlers.each do |handler|
      [1, 2, 4].product([1, 2, 4]) { |producers, consumers| stress(handler.call, producers, consumers) }
    end
  end

  PER_PRODUCER = 400

  # Every item arrives whole and exactly once. The items of one producer arrive in order.
  def stress(handler, producers, consumers)
    queue = open_queue(page_handler: handler)
    threads = Array.new(producers) do |producer|
      Thread.new { PER_PRODUCER.times { |index| queue.push("#{producer} #{index} #{"x" * ((index * 7) % 150)}") } }
    end
    received = Array.new(consumers) do
      Thread.new do
        items = []
        while (item = queue.pop) != "end"
          items << item
        end
        items
      end
    end
    threads.each(&:join)
    consumers.times { queue.push("end") }
    items = received.map(&:value)
    items.each do |of_one|
      of_one.group_by { |item| item.split[0] }.each_value { |list| assert_equal list.sort_by { |item| item.split[1].to_i }, list }
    end
    expected = producers.times.flat_map { |producer| PER_PRODUCER.times.map { |index| [producer, index, (index * 7) % 150] } }
    actual = items.flatten.map { |item| item.split(" ", 3).then { |producer, index, rest| [producer.to_i, index.to_i, rest.size] } }
    assert_equal expected, actual.sort
    assert_equal 0, queue.size
    queue.purge
  end
end

class MmapQueueTest < OutcropTest
  include MmapQueueTests

  def test_another_process_is_refused_until_the_one_that_has_it_ends
    child = start_ruby(File.join(__dir__, "mmap_kill_child.rb"), "#{path("queue")} Queue PageCache 5000 90")
    output = child.input_reader
    line = output.read_line until line == "queue pushed 100"
    error = assert_raises(Mmap::PageHandlerError) { open_queue }
    assert_includes error.message, path("queue")
    assert_match(/in another process, with pid #{child.pid};/, error.message)
    Process.kill(:KILL, child.pid)
    child.wait_for
    Mmap::PageCache.new(path("queue"), page_size: 5000).close
  end

  # A serializer that waits in deserialize until the test calls go.
  class Slow
    attr_reader :begun

    def initialize
      @begun = ::Queue.new
      @go = ::Queue.new
    end

    def serialize(object) = object

    def deserialize(string)
      @begun << string
      answer = @go.pop
      raise answer if answer.is_a?(Exception)

      string
    end

    def go(answer = true) = @go << answer
  end

  def begin_slowly
    @slow = Slow.new
    @queue = open_queue(serializer: @slow)
    @queue << "a" << "b"
    @popping = Thread.new { @queue.pop }
    @popping.report_on_exception = false
    assert_equal "a", @slow.begun.pop
  end

  def test_a_slow_serializer_keeps_nobody_from_pushing_or_giving_up
    begin_slowly
    @queue << "c"
    assert_equal 3, @queue.size
    assert_raises(Timeout::Error) { Timeout.timeout(0.05) { @queue.pop } }
    assert_raises(Timeout::Error) { Timeout.timeout(0.05) { @queue.pop(true) } }
    assert_raises(Timeout::Error) { Timeout.timeout(0.05) { @queue.skip } }
    3.times { @slow.go }
    assert_equal %w[a b c], [@popping.value, @queue.pop, @queue.pop]
    assert_raises(ThreadError) { @queue.pop(true) }
  end

  def test_an_item_is_still_the_next_one_when_its_serializer_fails
    begin_slowly
    other = Thread.new { @queue.pop }
    @slow.go(KeyError.new)
    assert_raises(KeyError) { @popping.value }
    @slow.go
    assert_equal "a", other.value
    @slow.go
    assert_equal "b", @queue.pop
  end

  def test_an_item_is_still_the_next_one_when_its_thread_is_ended
    begin_slowly
    @popping.kill
    @popping.join
    assert_equal 2, @queue.size
    assert_raises(Timeout::Error) { Timeout.timeout(0.05) { @queue.pop } }
    2.times { @slow.go }
    assert_equal %w[a b], [@queue.pop, @queue.pop]
  end

  def test_clear_and_close_while_an_object_is_made
    begin_slowly
    @queue.clear
    @queue << "c"
    @slow.go
    assert_equal "a", @popping.value
    assert_equal 1, @queue.size
    @popping = Thread.new { @queue.pop }
    @popping.report_on_exception = false
    assert_equal "c", @slow.begun.pop
    @queue.close
    @slow.go
    assert_raises(IOError) { @popping.value }
    @queue = open_queue
    assert_equal "c", @queue.pop
  end

  def test_skip_removes_what_the_serializer_cannot_read
    serializer = Failing.new
    @queue = open_queue(serializer: serializer)
    assert_equal 0, @queue.skip
    @queue << "abc" << "d"
    serializer.error = KeyError.new
    assert_raises(KeyError) { @queue.pop }
    assert_equal 3, @queue.skip
    serializer.error = nil
    assert_equal ["d", 0], [@queue.pop, @queue.skip]
  end

  # No other thread gets the item, because its record is gone, and the next item is not lost in its place.
  def test_an_item_that_is_written_over_while_it_is_made
    @slow = Slow.new
    @queue = open_ring(serializer: @slow)
    %w[a b].each { |letter| @queue << letter * 20 } # 0..24, 24..48
    @popping = Thread.new { @queue.pop }
    assert_equal "a" * 20, @slow.begun.pop
    @queue << "c" * 16 # 0..20, its end mark to 24
    assert_equal 2, @queue.size
    @slow.go
    assert_equal "a" * 20, @popping.value
    assert_equal 2, @queue.size
    2.times { @slow.go }
    assert_equal ["b" * 20, "c" * 16], [@queue.pop, @queue.pop]
  end

  def test_an_item_that_is_written_over_while_its_serializer_fails
    @slow = Slow.new
    @queue = open_ring(serializer: @slow)
    %w[a b].each { |letter| @queue << letter * 20 }
    @popping = Thread.new { @queue.pop }
    @popping.report_on_exception = false
    assert_equal "a" * 20, @slow.begun.pop
    @queue << "c" * 16
    @slow.go(KeyError.new)
    assert_raises(KeyError) { @popping.value }
    2.times { @slow.go }
    assert_equal ["b" * 20, "c" * 16], [@queue.pop, @queue.pop]
  end

  def test_a_page_that_is_written_over_keeps_what_is_newest
    @queue = open_ring
    %w[a b c d].each { |letter| @queue << letter * 12 }
    assert_equal 2, @queue.size
    assert_equal %w[c d].map { |letter| letter * 12 }, [@queue.pop, @queue.pop]
    assert_raises(ThreadError) { @queue.pop(true) }
  end

  def test_a_serializer_that_takes_from_its_own_queue
    queue = nil
    serializer = Object.new
    serializer.define_singleton_method(:serialize) { |object| object }
    serializer.define_singleton_method(:deserialize) { |_| queue.pop }
    @queue = queue = open_queue(serializer: serializer)
    queue << "a"
    assert_includes assert_raises(ThreadError) { queue.pop }.message, "deserialize"
    assert_equal 1, queue.skip
  end

  TYPE = Mmap::Queue

  def open_queue(page_handler: nil, **options)
    Mmap::Queue.new(page_handler: page_handler || Mmap::PageCache.new(path("queue"), page_size: 4096), **options)
  end

  def test_defaults
    Dir.chdir(@directory) { @queue = Mmap::Queue.new }
    assert_equal %w[queue.dat queue.dat.0], files
    other = Mmap::Queue.new(path: path("other"))
    other.push("é")
    assert_equal "é".b, other.pop
    other.purge
  end

  def test_an_item_stays_if_the_serializer_cannot_read_it
    failures = ["broken", "again"]
    serializer = MarshalSerializer.new
    serializer.define_singleton_method(:deserialize) { |string| failures.empty? ? super(string) : raise(failures.shift) }
    @queue = open_queue(serializer: serializer)
    @queue << { "a" => 1 }
    assert_equal %w[broken again], Array.new(2) { assert_raises(RuntimeError) { @queue.pop }.message }
    assert_equal 1, @queue.size
    assert_equal({ "a" => 1 }, @queue.pop)
    assert_predicate @queue, :empty?
  end
end

class MmapSizedQueueTest < OutcropTest
  include MmapQueueTests

  TYPE = Mmap::SizedQueue

  def open_queue(size = 20, page_handler: nil, **options)
    Mmap::SizedQueue.new(size, page_handler: page_handler || Mmap::PageCache.new(path("queue"), page_size: 4096), **options)
  end

  def test_defaults
    Dir.chdir(@directory) { @queue = Mmap::SizedQueue.new(3) }
    assert_equal %w[sized_queue.dat sized_queue.dat.0], files
    assert_equal 3, @queue.max
  end

  def test_the_size_is_positive
    [0, -1, nil, "1"].each { |size| assert_raises(ArgumentError) { Mmap::SizedQueue.new(size, path: path("none")) } }
    assert_empty files
  end

  def test_push_blocks_while_full
    @queue = open_queue(2)
    @queue << "a" << "b"
    producer = Thread.new { @queue << "c" << "d" }
    Thread.pass until producer.status == "sleep"
    assert_equal 2, @queue.size
    assert_equal "a", @queue.pop
    assert_equal "b", @queue.pop
    producer.join
    assert_equal %w[c d], [@queue.pop, @queue.pop]
  end

  def test_a_blocked_producer_can_be_ended
    @queue = open_queue(1)
    @queue << "a"
    producer = Thread.new { @queue << "b" }
    Thread.pass until producer.status == "sleep"
    producer.kill
    producer.join
    assert_equal 1, @queue.size
    closed = Thread.new { @queue.push("c") rescue $!.class }
    Thread.pass until closed.status == "sleep"
    @queue.close
    assert_equal IOError, closed.value
  end

  def test_gives_the_object_that_was_pushed
    counting = Class.new do
      attr_reader :read

      def serialize(object) = Marshal.dump(object)

      def deserialize(string)
        @read = @read.to_i + 1
        Marshal.load(string)
      end
    end.new
    @queue = open_queue(serializer: counting)
    object = { a: 1 }
    @queue << object << object
    assert_same object, @queue.pop
    assert_nil counting.read
    @queue.close
    @queue = open_queue(serializer: counting)
    assert_equal 1, counting.read
    assert_equal object, @queue.pop
  end

  def test_what_is_not_to_be_persisted
    @queue = open_queue
    @queue.push("a").push("b", false).push("c", true).push("d", false)
    assert_equal 4, @queue.size
    assert_equal %w[a b], [@queue.pop, @queue.pop]
    assert_equal 1, read_meta("queue").size
    @queue.close
    @queue = open_queue
    assert_equal 1, @queue.size
    assert_equal "c", @queue.pop
  end

  def numbers(range)
    range.map { |number| number.to_s * 12 }
  end

  # The page loses records; the memory loses no object.
  def test_objects_whose_records_were_written_over_are_still_there
    @queue = open_ring
    numbers(0..5).each { |item| @queue << item }
    assert_equal [6, 3], [@queue.size, @ring.meta.size]
    assert_equal numbers(0..2), Array.new(3) { @queue.pop }
    # The popped objects had no records left in the page.
    assert_equal [3, 3], [@queue.size, @ring.meta.size]
    assert_equal numbers(3..3), [@queue.pop]
    assert_equal [2, 2], [@queue.size, @ring.meta.size]
    @queue.close
    @queue = open_ring
    assert_equal numbers(4..5), [@queue.pop, @queue.pop]
    assert_equal [0, 0], [@queue.size, @ring.meta.size]
  end

  def test_a_page_that_is_written_over_and_what_is_not_to_be_persisted
    @queue = open_ring
    @queue.push("x", false)
    numbers(0..5).each { |item| @queue.push(item).push("x", false) }
    assert_equal [13, 3], [@queue.size, @ring.meta.size]
    expected = ["x", *numbers(0..5).flat_map { |item| [item, "x"] }]
    records = [3, 3, 3, 3, 3, 3, 3, 2, 2, 1, 1, 0, 0]
    assert_equal expected.zip(records), Array.new(13) { [@queue.pop, @ring.meta.size] }
    numbers(0..4).each { |item| @queue << item }
    @queue.clear
    assert_equal [0, 0], [@queue.size, @ring.meta.size]
    numbers(5..8).each { |item| @queue << item }
    assert_equal numbers(5..7), Array.new(3) { @queue.pop }
    assert_equal [1, 1], [@queue.size, @ring.meta.size]
  end

  def test_the_bound_holds_though_a_page_is_written_over
    @queue = open_queue(2, page_handler: Mmap::SinglePage.new(path("ring"), page_size: 16, overwrite: true))
    @queue << "a" << "b"
    producer = Thread.new { @queue << "c" }
    Thread.pass until producer.status == "sleep"
    assert_equal "a", @queue.pop
    producer.join
    assert_equal %w[b c], [@queue.pop, @queue.pop]
  end

  def test_may_hold_more_than_its_bound_on_opening
    @queue = open_queue(5)
    5.times { |index| @queue << index.to_s }
    @queue.close
    @queue = open_queue(2)
    assert_equal 5, @queue.size
    producer = Thread.new { @queue << "5" }
    Thread.pass until producer.status == "sleep"
    assert_equal %w[0 1 2 3], Array.new(4) { @queue.pop }
    producer.join
    assert_equal %w[4 5], [@queue.pop, @queue.pop]
  end
end
