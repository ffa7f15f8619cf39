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

  def kill_and_look(type, handler, page_size, repeats)
    lines = run_and_kill(type, handler, page_size, repeats)
    pushed = numbers(lines, "pushed")
    popped = numbers(lines, "popped")
    assert_equal (0...popped.size).to_a, popped
    pages = Mmap.const_get(handler).new(path("queue"), page_size: page_size)
    queue = Mmap::PagedQueue.new(pages)
    items = queue.to_a
    assert_equal items.size, queue.size
    items.each { |item| assert_match(/\A(\d+) \1+\z/, item, "a torn record") }
    left = items.map(&:to_i)
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

  def run_and_kill(type, handler, page_size, repeats)
    child = start_ruby(File.join(__dir__, "mmap_kill_child.rb"), path("queue"), type, handler, page_size, repeats)
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
