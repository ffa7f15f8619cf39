# frozen_string_literal: true

require_relative "page_files"
require_relative "test_helper"

# Kills a process with SIGKILL while it pushes and pops.
class MmapKillTest < OutcropTest
  include PageFiles

  # Kinds of queues, by name: the type, the page handler, the page size, and the most repetitions of the number in an item.
  KINDS = {
    "queue_of_pages" => ["Queue", "PageCache", 5000, 90],
    "sized_queue_of_pages" => ["SizedQueue", "PageCache", 5000, 90],
    "queue_of_one_page" => ["Queue", "SinglePage", 5000, 90],
    "sized_queue_of_one_page" => ["SizedQueue", "SinglePage", 5000, 90],
    # The queue fills several pages, so that a page that was read to its end becomes the next page or the one after.
    "pages_used_again" => ["Queue", "PageCache", 1 << 20, 2500],
    # The page holds fewer records than the 20 objects of a SizedQueue.
    "queue_written_over" => ["Queue", "SinglePage", 500, 20, "overwrite"],
    "sized_queue_written_over" => ["SizedQueue", "SinglePage", 500, 20, "overwrite"]
  }.freeze
  # Pages of 100 MiB. The test fills some of them, while another thread prepares and unmaps pages.
  LARGE = {
    "pages_as_large_as_without_saying" => ["Queue", "PageCache", Mmap::DEFAULT_PAGE_SIZE, 50_000],
    "page_as_large_as_without_saying" => ["SizedQueue", "SinglePage", Mmap::DEFAULT_PAGE_SIZE, 50_000]
  }.freeze
  PUSHES = TestSize.choose("outcrop.crash.pushes", 800, 3000)

  # One process for all kinds, because a JRuby process takes long to start.
  def test_all_kinds_in_one_process
    lines = run_and_kill(KINDS)
    KINDS.each_key { |name| look(name, lines.fetch(name)) }
  end

  if TestSize.nightly?
    KINDS.merge(LARGE).each do |name, kind|
      define_method("test_#{name}") { look(name, run_and_kill({ name => kind }).fetch(name)) }
    end
  end

  # A stopped process has the same files as a process that is killed at that moment, and it can be stopped more often than it can be killed.
  def test_a_page_that_is_written_over_is_whole_at_any_moment
    skip("only Linux says whether all threads of a process have stopped") unless Dir.exist?("/proc/self/task")
    child = start_ruby(File.join(__dir__, "mmap_ring_child.rb"), path("queue"), 256)
    assert_equal "ready", child.input_reader.read_line
    seen = {}
    last = -1
    until seen.size >= TestSize.choose("outcrop.crash.rounds", 30, 300) && read_meta("copy").head_page > 20
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
    # A thread has ended in the meantime.
    false
  end

  # Asserts that opening the copy prints no warning.
  def items_of_copy
    queue = nil
    assert_silent { queue = Mmap::PagedQueue.new(Mmap::SinglePage.new(path("copy"), page_size: 256)) }
    whole_items(queue)
  ensure
    queue&.close
  end

  # Returns the numbers of the items. Asserts that no item is torn, and that the queue's size is right.
  def whole_items(queue)
    items = queue.to_a
    assert_equal items.size, queue.size
    items.each { |item| assert_match(/\A(\d+) \1+\z/, item, "a torn record") }
    items.map(&:to_i)
  end

  def look(name, lines)
    type, handler, page_size, _, overwrite = KINDS.merge(LARGE).fetch(name)
    pushed = numbers(lines, "pushed")
    popped = numbers(lines, "popped")
    pages = Mmap.const_get(handler).new(path(name), page_size: page_size, overwrite: !overwrite.nil?)
    queue = Mmap::PagedQueue.new(pages)
    left = whole_items(queue)
    if overwrite
      look_for_the_latest(type, lines, pushed, popped, left)
      assert_operator pages.meta.head_page_index, :>, 20
    else
      look_for_all(pushed, popped, left)
    end
    # The queue still works. A single page may be full of items that the process had not popped yet.
    left.size.times { queue.pop } if handler == "SinglePage"
    queue.push("next" * 100)
    assert_equal "next" * 100, queue.to_a.last
    pages.close
    # A page prepared after the head does no harm, and purge deletes it too.
    Mmap.const_get(handler).new(path(name), page_size: page_size, overwrite: !overwrite.nil?).purge
    assert_empty files.select { |file| file.split(".").first == name }
  end

  def look_for_all(pushed, popped, left)
    assert_equal (0...popped.size).to_a, popped
    # The process may not have printed its last pop and its last push.
    assert_includes [popped.size, popped.size + 1], left.first unless left.empty?
    first = left.first || [popped.size, pushed.size].max
    assert_equal (first...first + left.size).to_a, left
    assert_includes [pushed.size, pushed.size + 1], first + left.size
    assert_operator first - popped.size, :<=, 1
  end

  def look_for_the_latest(type, lines, pushed, popped, left)
    assert_includes lines, "behind", "nothing was written over"
    assert_equal type == "SizedQueue" ? (0...popped.size).to_a : popped.uniq.sort, popped
    return if left.empty?

    # Only the oldest items are gone, and no popped item comes back.
    assert_equal (left.first...left.first + left.size).to_a, left
    assert_includes [pushed.size - 1, pushed.size], left.last
    assert_operator left.first, :>, popped.last || -1
  end

  # Kills the process when each queue has reached its number of pushes. Returns the printed lines of each queue, by name.
  def run_and_kill(kinds)
    child = start_ruby(File.join(__dir__, "mmap_kill_child.rb"), *kinds.map { |name, kind| [path(name), *kind].join(" ") })
    output = child.input_reader
    lines = kinds.keys.to_h { |name| [name, []] }
    waited = kinds.keys.map { |name| "#{name} pushed #{PUSHES}" }
    waited += kinds.filter_map { |name, kind| "#{name} behind" if kind.last == "overwrite" }
    until waited.empty?
      line = output.read_line or break
      waited.delete(line)
      add(lines, line)
    end
    # Does not use Process#destroy, which would close the output before the rest is read.
    Process.kill(:KILL, child.pid)
    while (line = output.read_line)
      add(lines, line)
    end
    child.wait_for
    assert_empty waited
    lines
  end

  def add(lines, line)
    name, rest = line.split(" ", 2)
    # Any other output explains why the process has ended.
    lines.key?(name) ? lines[name] << rest : puts(line)
  end

  # The last line may be cut off.
  def numbers(lines, what)
    lines.grep(/\A#{what} \d+\z/).map { |line| line[/\d+/].to_i }
  end
end
