# frozen_string_literal: true

require_relative "test_helper"

# Processes that are killed with kill -9.
class QueueCrashTest < OutcropTest
  PROGRAMS = File.join(__dir__, "programs")

  def lines(process)
    java.io.BufferedReader.new(java.io.InputStreamReader.new(process.input_stream))
  end

  def kill(process, output)
    # Not the process itself, which would close the output too.
    process.to_handle.destroy_forcibly
    rest = []
    while (line = output.read_line)
      rest << line
    end
    rest
  end

  # What was printed before the kill; a number that was cut off does not count.
  def acknowledged(durability, type, count)
    process = start_ruby(File.join(PROGRAMS, "push.rb"), path("queue"), durability, type)
    output = lines(process)
    printed = []
    while printed.size < count
      line = output.read_line or flunk(printed.join("\n"))
      printed << line
    end
    printed.concat(kill(process, output)[0..-2])
    printed.grep(/\A\d+\z/).map(&:to_i)
  end

  def expected(number)
    "#{number}:#{(number % 256).chr * (number % 3000)}"
  end

  # Places in the log that a killed thread had taken and not filled, although the other thread had filled the next one.
  def withdrawn_by_recovery
    Outcrop::Queue.open(path("queue")) { |queue| queue.size }
    check = Java::dev.outcrop.queue.QueueFiles.verify(Java::java.nio.file.Path.of(path("queue")))
    assert_empty check.damages.to_a
    check.segments.sum(&:withdrawn)
  end

  def assert_all_there(durability, type, count)
    acknowledged = acknowledged(durability, type, count)
    withdrawn = withdrawn_by_recovery
    queue = Outcrop::Queue.new(path("queue"))
    size = queue.size
    found = []
    while (item = queue.pop(timeout: 0))
      number = item[/\A\d+/].to_i
      assert_equal expected(number).b, item.b
      found << number
    end
    assert_equal size, found.size + withdrawn
    assert_equal 0, queue.size
    assert_equal found.uniq, found
    assert_empty acknowledged - found
    found.partition(&:even?).each { |of_one_thread| assert_equal of_one_thread.sort, of_one_thread }
  ensure
    queue&.shutdown
  end

  def test_what_was_pushed_durably_is_there
    assert_all_there(:every_push, "Queue", 300)
  end

  def test_what_was_pushed_with_group_commit_is_there
    assert_all_there(:group_commit, "Queue", 3000)
  end

  def test_what_was_pushed_into_a_sized_queue_is_there
    assert_all_there(:page_cache, "SizedQueue", 3000)
  end

  def test_an_item_whose_process_was_killed_is_delivered_again
    Outcrop::Queue.open(path("queue")) { |queue| %w[first stop last].each { |item| queue << item } }
    process = start_ruby(File.join(PROGRAMS, "process.rb"), path("queue"))
    output = lines(process)
    seen = []
    until seen.last == "stop"
      line = output.read_line or flunk(seen.join("\n"))
      seen << line
    end
    assert_raises(Outcrop::Locked) { Outcrop::Queue.new(path("queue")) }
    kill(process, output)
    assert_includes seen, "first"
    Outcrop::Queue.open(path("queue")) { |queue| assert_equal %w[stop last], [queue.pop, queue.pop] }
  end
end
