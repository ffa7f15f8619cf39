# frozen_string_literal: true

require "timeout"
require_relative "test_helper"

# Shared tests for Outcrop::Queue and Outcrop::SizedQueue, for every method.
module QueueBehaviour
  def teardown
    @queues&.each(&:shutdown)
    super
  end

  def opened(queue)
    (@queues ||= []) << queue
    queue
  end

  # Waits until the block returns true. Fails after at least 20 seconds.
  def soon
    20_000.times { yield ? return : sleep(0.001) }
    flunk("It does not come to that")
  end

  def waiting(queue, count)
    soon { queue.num_waiting == count }
  end

  def test_is_first_in_first_out_by_all_names
    queue = open_queue
    assert_same queue, queue.push("a")
    queue << "b"
    queue.enq("c")
    assert_equal [3, 3, false], [queue.size, queue.length, queue.empty?]
    assert_equal %w[a b c], [queue.pop, queue.shift, queue.deq]
    assert_equal [0, true], [queue.size, queue.empty?]
  end

  def test_does_not_block_when_told_so
    queue = open_queue
    assert_equal "queue empty", assert_raises(ThreadError) { queue.pop(true) }.message
    queue.push("a", true)
    assert_equal "a", queue.pop(true)
    assert_raises(ArgumentError) { queue.pop(true, timeout: 1) }
  end

  def test_pop_waits_as_long_as_it_is_told
    queue = open_queue
    assert_nil queue.pop(timeout: 0)
    assert_nil queue.pop(timeout: 0.02)
    assert_nil queue.pop(false, timeout: 0.02)
    assert_nil queue.pop(timeout: -1)
    assert_nil queue.pop(timeout: -Float::INFINITY)
    assert_nil queue.poll(timeout: -1)
    assert_same queue, queue.each(timeout: -1) { flunk }
    assert_same queue, queue.process(timeout: -1) { flunk }
    assert_match(/NaN/, assert_raises(ArgumentError) { queue.pop(timeout: Float::NAN) }.message)
    assert_raises(TypeError) { queue.pop(timeout: "1") }
    queue << "a"
    assert_equal "a", queue.pop(timeout: 10)
  end

  def test_pop_waits_for_an_item
    queue = open_queue
    popping = Thread.new { queue.pop }
    waiting(queue, 1)
    queue << "late"
    assert_equal "late", popping.value
    assert_equal 0, queue.num_waiting
  end

  def test_pop_that_waits_long_is_woken
    queue = open_queue
    popping = Array.new(3) { Thread.new { queue.pop } }
    waiting(queue, 3)
    sleep 0.2
    3.times { |i| queue << i.to_s }
    assert_equal %w[0 1 2], popping.map(&:value).sort
  end

  def test_a_waiting_pop_can_be_killed_raised_at_and_timed_out
    queue = open_queue
    killed = Thread.new { queue.pop }
    raised = Thread.new { assert_raises(IOError) { queue.pop } }
    waiting(queue, 2)
    sleep 0.05
    killed.kill
    raised.raise(IOError, "enough")
    assert_nil killed.value
    assert_equal "enough", raised.value.message
    assert_raises(Timeout::Error) { Timeout.timeout(0.05) { queue.pop } }
    queue << "still there"
    assert_equal "still there", queue.pop
  end

  def test_a_wakeup_without_reason_does_not_end_a_wait
    queue = open_queue
    popping = Thread.new { queue.pop }
    waiting(queue, 1)
    5.times do
      sleep 0.01
      popping.wakeup
    end
    queue << "a"
    assert_equal "a", popping.value
  end

  def test_close_lets_those_go_who_pop_and_refuses_to_push
    queue = open_queue
    popping = Array.new(2) { Thread.new { queue.pop } }
    waiting(queue, 2)
    refute_predicate queue, :closed?
    assert_same queue, queue.close
    assert_equal [nil, nil], popping.map(&:value)
    assert_predicate queue, :closed?
    assert_equal "queue closed", assert_raises(ClosedQueueError) { queue << "a" }.message
    assert_nil queue.pop
    assert_raises(ThreadError) { queue.pop(true) }
    assert_same queue, queue.close
  end

  def test_what_is_left_after_close_can_be_popped
    queue = open_queue
    queue << "a" << "b"
    queue.close
    assert_equal ["a", "b", nil], [queue.pop, queue.pop, queue.pop]
  end

  def test_what_is_left_after_close_is_there_when_opened_again
    queue = open_queue
    queue << "a" << "b" << "c"
    queue.pop
    queue.close
    again = open_queue
    assert_equal 2, again.size
    assert_nil queue.pop
    assert_equal %w[b c], [again.pop, again.pop]
  end

  def test_what_is_being_pushed_while_the_queue_is_closed_can_be_popped
    queue = open_queue
    # A large item, so that copying it takes longer than closing the queue.
    item = "x" * 40_000_000
    pushing = Thread.new { queue << item }
    Thread.pass until queue.size == 1
    queue.close
    assert_equal item.bytesize, queue.pop&.bytesize
    assert_same queue, pushing.value
    assert_nil queue.pop
  end

  def test_shutdown_keeps_what_is_left
    queue = open_queue
    500.times { |i| queue << i.to_s }
    assert_equal "0", queue.pop
    popping = Thread.new { sleep }
    popping.kill
    queue.shutdown
    assert_nil queue.pop
    assert_raises(ClosedQueueError) { queue << "a" }
    assert_equal 499, queue.size
    again = open_queue
    assert_equal (1...500).map(&:to_s), Array.new(499) { again.pop }
  end

  def test_open_with_a_block_shuts_down
    left = queue_class_open { |queue| queue << "a" }
    assert_same left, left.close
    assert_equal 1, open_queue.size
  end

  def test_clear_removes_all_items
    queue = open_queue
    300.times { |i| queue << i.to_s }
    assert_same queue, queue.clear
    assert_predicate queue, :empty?
    queue << "next"
    assert_equal "next", queue.pop
    queue.shutdown
    assert_predicate open_queue, :empty?
  end

  def test_skip_removes_one_item
    queue = open_queue
    queue << "a" << "b"
    assert queue.skip
    assert_equal "b", queue.pop
    refute queue.skip
  end

  def test_purge_deletes_only_what_is_the_queues
    queue = open_queue
    queue << "a"
    File.write(File.join(queue.path, "mine"), "x")
    queue.purge
    assert_equal ["mine"], Dir.children(path("queue"))
    File.delete(path("queue/mine"))
    queue.purge
    refute File.exist?(path("queue"))
    queue.purge
    assert_predicate open_queue, :empty?
  end

  def test_each_pops_until_the_queue_is_closed
    queue = open_queue
    seen = []
    reader = Thread.new { queue.each { |item| seen << item } }
    100.times { |i| queue << i.to_s }
    queue.close
    assert_same queue, reader.value
    assert_equal (0...100).map(&:to_s), seen
    assert_predicate queue, :empty?
  end

  def test_each_without_a_block_is_an_enumerator
    queue = open_queue
    queue << "a" << "b"
    assert_equal "a", queue.each(timeout: 0).next
    queue << "c"
    queue.close
    assert_includes queue.each.to_a, "c"
  end

  def test_process_acknowledges_what_the_block_has_done
    queue = open_queue
    queue << "a" << "b"
    seen = []
    assert_same queue, queue.process(timeout: 0) { |item| seen << item }
    assert_equal %w[a b], seen
    queue.shutdown
    assert_predicate open_queue, :empty?
  end

  def test_process_gives_back_what_the_block_has_failed_at
    queue = open_queue
    queue << "a" << "b"
    assert_raises(IOError) { queue.process { raise IOError } }
    assert_equal 2, queue.size
    queue.process { break }
    assert_equal 2, queue.size
    catch(:out) { queue.process { throw :out } }
    killed = Thread.new { queue.process { Thread.stop } }
    soon { killed.stop? && queue.size == 1 }
    killed.kill.join
    seen = []
    queue.process(timeout: 0) { |item| seen << item }
    assert_equal %w[a b], seen
  end

  def test_process_does_not_lose_what_it_is_at_when_the_queue_is_shut_down
    queue = open_queue
    queue << "a"
    error = assert_raises(Outcrop::Error) { queue.process { queue.shutdown } }
    assert_match(/closed/, error.message)
    assert_equal "a", open_queue.pop(true)
  end

  def test_poll_is_acknowledged_by_hand
    queue = open_queue
    queue << "a" << "b"
    first = queue.poll
    assert_equal ["a", "a", 1, 1], [first.item, first.payload, first.deliveries, first.delivery_count]
    assert_kind_of Integer, first.offset
    assert first.nack
    assert_raises(Outcrop::Error) { first.ack }
    again = queue.poll(timeout: 1)
    assert_equal ["a", 2, first.offset], [again.item, again.deliveries, again.offset]
    assert again.ack
    assert_raises(Outcrop::Error) { again.nack }
    assert_equal "b", queue.poll(timeout: 0).item
    assert_nil queue.poll(timeout: 0)
    queue.shutdown
    assert_equal "b", open_queue.pop(true)
  end

  def test_an_item_is_given_back_with_a_delay
    queue = open_queue
    queue << "a" << "b"
    queue.poll.nack(delay: 60)
    assert_equal "b", queue.pop
    assert_nil queue.pop(timeout: 0)
    queue << "c"
    queue.poll.nack(delay: 0.02)
    again = queue.poll
    assert_equal ["c", 2], [again.item, again.deliveries]
    again.ack
    assert_equal 1, queue.size
    queue << "d"
    queue.poll.nack(delay: -1)
    again = queue.poll
    assert_equal ["d", 2], [again.item, again.deliveries]
    queue << "e"
    delivery = queue.poll
    assert_match(/NaN/, assert_raises(ArgumentError) { delivery.nack(delay: Float::NAN) }.message)
    assert delivery.ack
  end

  def test_who_waits_for_a_late_item_gets_one_that_is_earlier
    queue = open_queue
    queue << "late" << "early"
    late = queue.poll
    early = queue.poll
    late.nack(delay: 60)
    popping = Array.new(2) { Thread.new { queue.pop(timeout: 60) } }
    waiting(queue, 2)
    sleep 0.01
    early.nack(delay: 0.01)
    queue << "new"
    assert_equal %w[early new], popping.map(&:value).sort
  end

  # Returns how often the threads of this process have gone to sleep.
  def sleeps
    Dir["/proc/self/task/*/status"].sum do |file|
      File.read(file)[/^voluntary_ctxt_switches:\s*(\d+)/, 1].to_i
    rescue SystemCallError
      # The thread has ended.
      0
    end
  end

  def test_who_waits_for_a_late_item_does_not_look_all_the_time
    skip "only Linux tells how often a thread sleeps" unless File.directory?("/proc/self/task")
    queue = open_queue
    queue << "a"
    queue.poll.nack(delay: 60)
    popping = Thread.new { queue.pop }
    waiting(queue, 1)
    sleep 0.01
    before = sleeps
    sleep 0.5
    assert_operator sleeps - before, :<, 1000
    popping.kill.join
  end

  def test_every_group_gets_all_items
    queue = open_queue
    audit = queue.consumer("audit")
    assert_equal "audit", audit.group
    queue << "a" << "b"
    assert_equal %w[a b], [queue.pop, queue.pop]
    assert_equal 2, audit.lag
    delivery = audit.poll
    assert_equal ["a", 1], [delivery.item, delivery.deliveries]
    delivery.nack
    assert_equal [["a", 2], ["b", 1]], Array.new(2) { audit.poll(timeout: 1) }.map { |again| [again.item, again.deliveries] }
    assert_nil audit.poll(timeout: 0.01)
    audit.close
    assert_predicate audit, :closed?
    assert_nil audit.poll
    seen = []
    queue.consumer(:audit).process(timeout: 0) { |item| seen << item }
    assert_equal %w[a b], seen
    assert_equal %w[audit default], queue.groups
    queue.delete_group("audit")
    assert_equal %w[default], queue.groups
    assert_raises(ArgumentError) { queue.consumer("default") }
    assert_raises(ArgumentError) { queue.delete_group("default") }
  end

  def test_the_name_of_a_group_is_text
    queue = open_queue
    assert_equal "é", queue.consumer("é").group
    ["é".b, :é].each { |name| assert_equal "é", queue.consumer(name).group }
    assert_equal "é", queue.consumer("é".encode("ISO-8859-1")).group
    ["\xff", "\xfe", "\xff".b, "a\xc3", "\x81".dup.force_encoding("Shift_JIS")].each do |name|
      message = assert_raises(ArgumentError) { queue.consumer(name) }.message
      assert_match(/is not valid/, message)
      assert_raises(ArgumentError) { queue.delete_group(name) }
      assert_raises(ArgumentError) { Outcrop::Queue.new(path("other"), group: name) }
      assert_raises(ArgumentError) { Outcrop::Queue.new(path("other") + name.to_s.b) }
    end
    assert_equal %w[default é], queue.groups
    refute_path_exists path("other")
  end

  def test_close_lets_the_consumers_of_groups_go
    queue = open_queue
    audit = queue.consumer("audit")
    seen = []
    reader = Thread.new { audit.each { |item| seen << item } }
    queue << "a"
    soon { seen == ["a"] }
    queue.close
    assert_same audit, reader.value
    idle = Thread.new { Timeout.timeout(0.05) { open_queue.consumer("audit").poll } }
    idle.report_on_exception = false
    assert_raises(Timeout::Error) { idle.value }
  end

  def test_close_leaves_the_files_to_the_consumers_of_groups
    queue = open_queue
    audit = queue.consumer("audit")
    idle = queue.consumer("idle")
    queue << "a" << "b"
    assert_equal %w[a b], [queue.pop, queue.pop]
    first = audit.poll
    queue.close
    first.ack
    seen = []
    audit.process { |item| seen << item }
    assert_equal %w[b], seen
    queue.sync
    idle.close
    # Now no consumer needs the files, so they are closed.
    assert_raises(Outcrop::Error) { queue.sync }
  end

  def test_encodings_are_kept
    queue = open_queue
    strings = ["grün", "gr\xFCn".b, "plain".encode("US-ASCII"), "日本".encode("Shift_JIS"), "ü".encode("UTF-16LE"), "", "".b,
               "\xFF broken", ("x" * 5000).force_encoding("ISO-8859-15")]
    strings.each { |string| queue << string }
    queue.shutdown
    queue = open_queue
    strings.each do |string|
      back = queue.pop
      assert_equal string, back
      assert_equal string.encoding, back.encoding
      assert_equal string.valid_encoding?, back.valid_encoding?
    end
  end

  def test_frozen_and_shared_strings_are_pushed_as_they_are
    queue = open_queue
    long = "abcdefghij" * 100
    queue << long.freeze << long[500, 300] << long.byteslice(7, 1)
    queue.shutdown
    queue = open_queue
    back = [queue.pop, queue.pop, queue.pop]
    assert_equal [long, long[500, 300], "h"], back
    assert(back.none?(&:frozen?))
    back.first << "!"
  end

  def test_what_is_too_large_is_refused
    queue = open_queue(segment_size: 8192)
    assert_match(/8300|8301/, assert_raises(ArgumentError) { queue << "x" * 8300 }.message)
    queue << "x" * 8000
    assert_equal 8000, queue.pop.size
  end

  def test_other_objects_are_refused_by_name
    error = assert_raises(TypeError) { open_queue << :symbol }
    assert_match(/Symbol/, error.message)
  end

  def test_is_opened_once
    queue = open_queue
    error = assert_raises(Outcrop::Locked) { open_queue }
    assert_match(/queue/, error.message)
    assert_kind_of Outcrop::Error, error
    queue.shutdown
    open_queue
  end

  def test_says_what_is_damaged
    queue = open_queue
    queue << "precious" * 100
    queue.sync.shutdown
    segment = Dir[path("queue/*.segment")].first
    bytes = File.binread(segment)
    File.binwrite(segment, bytes.sub("precious".b, "previous".b))
    error = assert_raises(Outcrop::Corrupt) { open_queue.pop(true) }
    assert_match(/damaged/, error.message)
  end

  def damage_second_item(queue)
    segment = Dir[File.join(queue.path, "*.segment")].min
    File.open(segment, "r+b") do |file|
      file.seek(file.read.index("precious"))
      file.write("previous")
    end
  end

  def closed_with_damage
    queue = open_queue(verify: :always)
    queue << "good" << "precious"
    damage_second_item(queue)
    queue.close
  end

  def test_damage_behind_an_item_does_not_take_it_away
    queue = closed_with_damage
    assert_equal "good", queue.pop
    assert_raises(Outcrop::Corrupt) { queue.pop }
  end

  def test_damage_behind_an_item_does_not_process_it_twice
    queue = closed_with_damage
    seen = []
    assert_raises(Outcrop::Corrupt) { queue.process { |item| seen << item } }
    assert_equal ["good"], seen
  end

  def released?(queue)
    queue.sync
    false
  rescue Outcrop::Error
    true
  end

  def test_a_queue_closed_during_its_last_push_is_released
    5.times do
      queue = open_queue(durability: :every_push)
      item = "x" * 20_000_000
      pushing = Thread.new { queue << item }
      Thread.pass until queue.size == 1
      queue.close
      assert_equal item.size, queue.pop&.size
      pushing.join
      soon { released?(queue) }
      queue.purge
    end
  end

  def test_purge_leaves_the_files_to_who_has_them_open
    queue = open_queue
    queue.shutdown
    other = open_queue
    other << "a"
    assert_raises(Outcrop::Locked) { queue.purge }
    assert_equal "a", other.pop
    other << "b"
    other.shutdown
    assert_equal "b", open_queue.pop(true)
  end

  def test_purge_deletes_a_damaged_queue
    queue = open_queue
    queue.shutdown
    File.write(File.join(queue.path, "queue"), "damaged")
    queue.purge
    refute File.exist?(path("queue"))
  end

  def test_has_no_copies
    queue = open_queue
    assert_raises(TypeError, NoMethodError) { queue.dup }
    assert_raises(TypeError, NoMethodError) { queue.clone }
    assert_match(/can't dump/, assert_raises(TypeError) { Marshal.dump(queue) }.message)
  end

  def test_is_bounded_by_bytes
    queue = open_queue(max_bytes: 10_000)
    pushed = 0
    pushed += 1 while queue.push("x" * 1000, timeout: 0)
    assert_includes 5..10, pushed
    assert_equal "queue full", assert_raises(ThreadError) { queue.push("x" * 1000, true) }.message
    pushing = Thread.new { queue << "late" * 250 }
    waiting(queue, 1)
    pushed.times { queue.pop }
    assert_equal "late" * 250, queue.pop
    pushing.join
    queue.push("x" * 9000)
    closed = Thread.new { assert_raises(ClosedQueueError) { queue << "x" * 9000 } }
    waiting(queue, 1)
    queue.close
    closed.join
  end

  def test_every_durability_keeps_items
    [:page_cache, :group_commit, :every_push, { interval: 0.001 }, { interval: 1, bytes: 100 }].each do |durability|
      queue = open_queue(durability: durability)
      queue << "a" << "b"
      assert_equal %w[a b], [queue.pop, queue.pop]
      queue.shutdown
    end
    [:always, {}, { interval: nil }, { interval: "1" }, { bytes: 1 }, { interval: 1, size: 1 }].each do |durability|
      error = assert_raises(ArgumentError) { open_queue(durability: durability) }
      assert_match(/:page_cache.*interval: seconds/, error.message)
    end
    [-1, Float::NAN].each do |interval|
      assert_match(/interval/, assert_raises(ArgumentError) { open_queue(durability: { interval: interval }) }.message)
    end
  end

  def test_wrong_arguments_are_refused
    assert_raises(ArgumentError) { open_queue(colour: :red) }
    assert_raises(ArgumentError) { open_queue(serializer: :yaml) }
    assert_raises(ArgumentError) { open_queue(segment_size: 1) }
    assert_raises(ArgumentError) { open_queue(max_bytes: 0) }
    queue = open_queue
    assert_raises(TypeError) { queue.freeze }
    assert_raises(ArgumentError) { queue.process }
    assert_raises(ArgumentError) { queue.pop(wait: 1) }
  end
end

class QueueTest < OutcropTest
  include QueueBehaviour

  def open_queue(**options)
    opened(Outcrop::Queue.new(path: path("queue"), **options))
  end

  def queue_class_open(&block)
    Outcrop::Queue.open(path("queue"), &block)
  end

  def test_needs_a_path
    assert_match(/path:/, assert_raises(ArgumentError) { Outcrop::Queue.new }.message)
  end

  def test_has_no_bound
    assert_nil open_queue.max
  end

  def test_push_needs_no_time
    queue = open_queue
    assert_same queue, queue.push("a", timeout: 0)
    assert_same queue, queue.push("b", false, timeout: 1)
    assert_raises(ArgumentError) { queue.push("c", true, timeout: 1) }
  end

  def test_large_items_are_not_all_read_ahead
    queue = open_queue
    20.times { |i| queue << (i.to_s * 1_000_000)[0, 1_000_000] }
    assert_equal (0...20).map { |i| i.to_s[0] }, Array.new(20) { queue.pop[0] }
  end
end

class SizedQueueTest < OutcropTest
  include QueueBehaviour

  def open_queue(max = 1000, **options)
    opened(Outcrop::SizedQueue.new(max, path: path("queue"), **options))
  end

  def test_pushes_that_wait_for_bytes_are_no_items
    queue = open_queue(segment_size: 1 << 16, max_bytes: 1000)
    2.times { queue << "x" * 400 }
    pushing = Array.new(3) { Thread.new { queue << "y" * 400 } }
    waiting(queue, 3)
    # The waiting pushes try again every millisecond.
    200.times do
      100.times { assert_equal 2, queue.size }
      sleep(0.001)
    end
    5.times { queue.pop }
    pushing.each(&:join)
    assert_empty queue
  end

  def queue_class_open(&block)
    Outcrop::SizedQueue.open(10, path("queue"), &block)
  end

  def test_has_a_bound
    assert_equal 3, open_queue(3).max
    assert_kind_of Outcrop::Queue, @queues.first
    assert_raises(ArgumentError) { open_queue(0) }
    assert_raises(ArgumentError) { open_queue(-1) }
    assert_raises(ArgumentError) { open_queue(1 << 40) }
    assert_raises(TypeError) { open_queue(nil) }
  end

  def test_push_waits_for_room
    queue = open_queue(1)
    queue << "a"
    assert_nil queue.push("b", timeout: 0)
    assert_nil queue.push("b", false, timeout: 0.02)
    assert_nil queue.push("b", timeout: -1)
    assert_match(/NaN/, assert_raises(ArgumentError) { queue.push("b", timeout: Float::NAN) }.message)
    assert_equal "queue full", assert_raises(ThreadError) { queue.push("b", true) }.message
    assert_raises(ArgumentError) { queue.push("b", true, timeout: 1) }
    pushing = Thread.new { queue.push("b") }
    waiting(queue, 1)
    sleep 0.1
    assert_equal 1, queue.size
    assert_equal "a", queue.pop
    assert_same queue, pushing.value
    assert_equal "b", queue.pop
  end

  def test_room_for_one_is_enough_for_a_push_that_waits
    queue = open_queue(20)
    20.times { |i| queue << i.to_s }
    [0, 0.01].each do |seconds|
      pushing = Thread.new { queue << "late" }
      waiting(queue, 1)
      sleep seconds
      queue.pop
      assert_same queue, pushing.value
    end
    assert_equal 20, queue.size
  end

  def test_a_waiting_push_can_be_killed_raised_at_and_timed_out
    queue = open_queue(1)
    queue << "a"
    killed = Thread.new { queue << "killed" }
    raised = Thread.new { assert_raises(IOError) { queue << "raised" } }
    waiting(queue, 2)
    killed.kill.join
    raised.raise(IOError)
    raised.join
    assert_raises(Timeout::Error) { Timeout.timeout(0.05) { queue << "late" } }
    assert_equal "a", queue.pop
    assert_predicate queue, :empty?
    queue << "next"
    assert_equal 1, queue.size
  end

  def test_close_lets_those_go_who_push
    queue = open_queue(1)
    queue << "a"
    pushing = Array.new(2) { Thread.new { assert_raises(ClosedQueueError) { queue << "b" } } }
    waiting(queue, 2)
    queue.close
    pushing.each(&:join)
    assert_equal ["a", nil], [queue.pop, queue.pop]
  end

  def test_pop_returns_the_object_that_was_pushed
    queue = open_queue(serializer: :marshal)
    objects = [Object.new, [1], nil, false, { a: 1 }]
    objects.each { |object| queue << object }
    objects.each { |object| assert_same object, queue.pop }
    string = +"a"
    queue << string
    queue.poll.nack
    assert_same string, queue.pop
  end

  def test_what_an_earlier_run_has_left_counts
    queue = open_queue(5)
    5.times { |i| queue << i.to_s }
    queue.shutdown
    smaller = open_queue(2)
    assert_equal 5, smaller.size
    assert_nil smaller.push("x", timeout: 0)
    assert_equal %w[0 1 2 3], Array.new(4) { smaller.pop }
    assert_same smaller, smaller.push("x", timeout: 0)
    assert_nil smaller.push("y", timeout: 0)
    assert_equal %w[4 x], Array.new(2) { smaller.pop }
  end

  def test_the_bound_is_given_once
    assert_raises(ArgumentError) { open_queue(10, max: 5) }
  end

  def test_the_bound_can_be_raised
    queue = open_queue(2)
    objects = Array.new(100) { |i| i.to_s }
    pushing = Thread.new { objects.each { |object| queue << object } }
    waiting(queue, 1)
    queue.max = 40
    assert_equal 40, queue.max
    soon { queue.size == 40 }
    waiting(queue, 1)
    first = Array.new(30) { queue.pop }
    queue.max = 1000
    pushing.join
    all = first + Array.new(70) { queue.pop }
    objects.zip(all) { |object, item| assert_same object, item }
  end

  def test_the_bound_can_be_lowered
    queue = open_queue(5)
    5.times { |i| queue << i.to_s }
    queue.max = 2
    assert_equal [2, 5], [queue.max, queue.size]
    3.times { queue.pop }
    assert_nil queue.push("x", timeout: 0)
    assert_equal "3", queue.pop
    queue.push("x", true)
    assert_equal %w[4 x], Array.new(2) { queue.pop }
  end

  def test_a_bound_is_positive
    queue = open_queue(5)
    assert_equal "queue size must be positive", assert_raises(ArgumentError) { queue.max = 0 }.message
    assert_raises(ArgumentError) { queue.max = -1 }
    assert_raises(TypeError) { queue.max = nil }
    assert_equal 5, queue.max
  end

  def test_the_bound_changes_while_others_push_and_pop
    queue = open_queue(1)
    producers = Array.new(2) { |p| Thread.new { 2000.times { |i| queue << "#{p}:#{i}" } } }
    consumer = Thread.new { Array.new(4000) { queue.pop } }
    bound = 1
    while producers.any?(&:alive?)
      queue.max = bound
      bound = bound < 3000 ? (bound * 2) + 1 : 1
      sleep 0.001
    end
    all = consumer.value
    2.times { |p| assert_equal (0...2000).map { |i| "#{p}:#{i}" }, all.select { |item| item.start_with?("#{p}:") } }
    assert_equal 0, queue.size
  end

  def memory
    runtime = Java::java.lang.Runtime.runtime
    3.times { Java::java.lang.System.gc }
    runtime.total_memory - runtime.free_memory
  end

  def test_what_is_left_is_not_all_read_into_memory
    queue = open_queue
    600.times { |i| queue << i.to_s.ljust(100_000) }
    queue.shutdown
    # The old queue would keep its objects in memory.
    @queues.clear
    queue = nil
    before = memory
    queue = open_queue(10)
    assert_operator memory - before, :<, 20_000_000
    assert_equal 600, queue.size
    assert_nil queue.push("x", timeout: 0)
    assert_equal (0...600).map(&:to_s), Array.new(600) { queue.pop.rstrip }
    assert_equal 0, queue.size
    10.times { |i| queue.push(i.to_s, true) }
    assert_raises(ThreadError) { queue.push("x", true) }
  end

  def test_what_was_not_pushed_takes_no_room
    queue = open_queue(2, serializer: :marshal, segment_size: 8192)
    5.times { assert_raises(ArgumentError) { queue << "x" * 9000 } }
    5.times { assert_raises(TypeError) { queue << proc {} } }
    queue << "a" << "b"
    assert_equal 2, queue.size
  end
end
