# frozen_string_literal: true

require_relative "page_files"
require_relative "test_helper"

# A process is killed with SIGKILL while it pushes and pops.
class MmapKillTest < OutcropTest
  include PageFiles

  %w[PageCache SinglePage].each do |handler|
    %w[Queue SizedQueue].each do |type|
      define_method("test_#{type}_with_#{handler}") { kill_and_look(type, handler, 5000, 90) }
    end

    # 100 MiB, some of which are filled, while another thread prepares and unmaps them.
    define_method("test_pages_of_#{handler}_as_large_as_they_are_without_saying") do
      kill_and_look(handler == "PageCache" ? "Queue" : "SizedQueue", handler, Mmap::DEFAULT_PAGE_SIZE, 50_000)
    end
  end

  # Some ten, so that what was read to its end becomes the next page or the one after.
  def test_pages_that_are_used_again
    kill_and_look("Queue", "PageCache", 1 << 20, 2500)
    # What was ahead of the head is no harm, and goes with the rest.
    Mmap::PageCache.new(path("queue"), page_size: 1 << 20).purge
    assert_empty files
  end

  # Smaller than what a SizedQueue of 20 may hold.
  %w[Queue SizedQueue].each do |type|
    define_method("test_#{type}_with_a_page_that_is_written_over") do
      lines = run_and_kill(type, "SinglePage", 500, 20, "overwrite")
      pushed = numbers(lines, "pushed")
      popped = numbers(lines, "popped")
      pages = Mmap::SinglePage.new(path("queue"), page_size: 500, overwrite: true)
      queue = Mmap::PagedQueue.new(pages)
      left = whole_items(queue)
      if type == "SizedQueue"
        assert_includes lines, "behind", "nothing was written over"
        assert_equal (0...popped.size).to_a, popped
      else
        assert_equal popped.uniq.sort, popped
        assert_operator popped.size + left.size, :<, pushed.size, "nothing was written over"
      end
      unless left.empty?
        # Only the oldest are gone, and what was popped is not there again.
        assert_equal (left.first...left.first + left.size).to_a, left
        assert_includes [pushed.size - 1, pushed.size], left.last
        assert_operator left.first, :>, popped.last || -1
      end
      assert_operator pages.meta.head_page_index, :>, 20
      # And it goes on.
      queue.push("next" * 100)
      assert_equal ["next" * 100], queue.to_a.last(1)
      pages.close
    end
  end

  # Stopped, a process leaves in its files what it would leave if it were killed there; and it can be stopped more often than that.
  def test_a_page_that_is_written_over_is_whole_at_any_moment
    skip("only Linux says whether all threads of a process have stopped") unless Dir.exist?("/proc/self/task")
    child = start_ruby(File.join(__dir__, "mmap_ring_child.rb"), path("queue"), 256)
    assert_equal "ready", child.input_reader.read_line
    seen = {}
    last = -1
    while seen.size < 300
      sleep(0.001)
      assert_predicate child, :alive?
      copy_stopped(child.pid)
      seen[read_meta("copy")] = true
      left = items_of_copy
      next if left.empty?

      assert_equal (left.first...left.first + left.size).to_a, left
      assert_operator left.last, :>=, last
      last = left.last
    end
    assert_operator read_meta("copy").head_page, :>, 20
  ensure
    child&.destroy_forcibly&.wait_for
  end

  def copy_stopped(pid)
    Process.kill(:STOP, pid)
    Thread.pass until stopped?(pid)
    %w[queue queue.0].each { |name| File.binwrite(path(name.sub("queue", "copy")), File.binread(path(name))) }
  ensure
    Process.kill(:CONT, pid)
  end

  def stopped?(pid)
    Dir["/proc/#{pid}/task/*/stat"].all? { |stat| File.read(stat)[/.*\) (.)/, 1] == "T" }
  rescue Errno::ENOENT, Errno::ESRCH
    # A thread has ended meanwhile.
    false
  end

  # Opening it finds nothing to warn of.
  def items_of_copy
    queue = nil
    assert_silent { queue = Mmap::PagedQueue.new(Mmap::SinglePage.new(path("copy"), page_size: 256)) }
    whole_items(queue)
  ensure
    queue&.close
  end

  # The numbers of the items, none of which is torn, and which are as many as the queue says.
  def whole_items(queue)
    items = queue.to_a
    assert_equal items.size, queue.size
    items.each { |item| assert_match(/\A(\d+) \1+\z/, item, "a torn record") }
    items.map(&:to_i)
  end

  def kill_and_look(type, handler, page_size, repeats)
    lines = run_and_kill(type, handler, page_size, repeats)
    pushed = numbers(lines, "pushed")
    popped = numbers(lines, "popped")
    assert_equal (0...popped.size).to_a, popped
    pages = Mmap.const_get(handler).new(path("queue"), page_size: page_size)
    queue = Mmap::PagedQueue.new(pages)
    left = whole_items(queue)
    # What was popped last may not have been said, and what was pushed last neither.
    assert_includes [popped.size, popped.size + 1], left.first unless left.empty?
    first = left.first || [popped.size, pushed.size].max
    assert_equal (first...first + left.size).to_a, left
    assert_includes [pushed.size, pushed.size + 1], first + left.size
    assert_operator first - popped.size, :<=, 1
    # And it goes on.
    queue.push("next")
    assert_equal "next", queue.to_a.last
    pages.close
  end

  def run_and_kill(*arguments)
    child = start_ruby(File.join(__dir__, "mmap_kill_child.rb"), path("queue"), *arguments)
    output = child.input_reader
    lines = []
    while (line = output.read_line)
      lines << line
      break if line == "pushed 3000" || (lines.size == 1 && line != "ready")
    end
    # Not by the Process, which would close its output before the rest is read.
    Process.kill(:KILL, child.pid)
    while (line = output.read_line)
      lines << line
    end
    child.wait_for
    assert_equal "ready", lines[0], lines.first(20).join("\n")
    lines
  end

  # The last line may be cut off.
  def numbers(lines, what)
    lines.grep(/\A#{what} \d+\z/).map { |line| line[/\d+/].to_i }
  end
end
