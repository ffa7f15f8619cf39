# frozen_string_literal: true

require_relative "page_files"
require_relative "paged_queue_tests"
require_relative "test_helper"

class MmapPageCacheTest < OutcropTest
  include MmapPagedQueueTests

  def pushed(model, item)
    model.push(item)
  end

  def open_queue(page_size = PAGE)
    @handler = Mmap::PageCache.new(path("queue"), page_size: page_size)
    Mmap::PagedQueue.new(@handler)
  end

  def assert_full(_model, item)
    flunk "A PageCache is never full, but refused #{item.bytesize} bytes"
  end

  def test_defaults
    handler = Mmap::PageCache.new(path("other"))
    assert_equal 100 * 1024 * 1024, handler.page_size
    handler.purge
    assert_raises(ArgumentError) { Mmap::PageCache.new(path("other"), cache_size: 0) }
  end

  def test_a_record_that_does_not_fit_starts_the_next_page
    @queue.push("a" * 30)
    @queue.push("b" * 22) # 34 + 26 + 4 = 64, which just fits
    @queue.push("c")
    assert_equal %w[queue queue.0 queue.1], files
    assert_equal page_bytes("a" * 30, "b" * 22), read_page("queue", 0)
    assert_equal page_bytes("c").ljust(PAGE, "\0"), read_page("queue", 1)
    assert_equal PageFiles::Meta.new(1, 5, 0, 0, 3), read_meta("queue")
  end

  def test_a_page_goes_when_the_tail_moves_off_it
    3.times { |index| @queue.push(index.to_s * 40) }
    @queue.pop
    assert_equal %w[queue queue.0 queue.1 queue.2], files
    @queue.pop
    assert_equal %w[queue queue.1 queue.2], files
    assert_equal 40, @queue.skip
    assert_equal %w[queue queue.2], files
    assert_nil @queue.pop
    assert_equal %w[queue queue.2], files
  end

  def test_reads_pages_of_others
    @queue.close
    write_meta("queue", 5, 7, 3, 6, 4)
    write_page("queue", 3, PAGE, "gone"[0, 2], "one", "two")
    write_page("queue", 4, PAGE, "three")
    write_page("queue", 5, PAGE, "4th")
    @queue = open_queue
    assert_equal %w[one two three 4th], @queue.to_a
    assert_equal %w[one two three 4th], Array.new(4) { @queue.pop }
  end

  def test_any_cache_size_does
    [1, 2, 3, 10].each do |cache_size|
      queue = Mmap::PagedQueue.new(Mmap::PageCache.new(path("cached"), page_size: 20, cache_size: cache_size))
      items = Array.new(30) { |index| "item #{index}" }
      items.each { |item| queue.push(item) }
      assert_equal items, queue.to_a
      items.each { |item| assert_equal item, queue.pop }
      queue.purge
    end
  end

  def test_a_page_that_is_removed_under_the_queue_is_missed_before_the_next_one_begins
    3.times { |index| @queue.push(index.to_s * 40) }
    File.delete(path("queue.2"))
    assert_match(/queue\.2 is missing/, assert_raises(Mmap::PageHandlerError) { @queue.push("3" * 40) }.message)
    assert_equal %w[queue queue.0 queue.1], files
  end

  def test_a_prepared_page_that_is_removed_is_made_again
    @queue.close
    @queue = open_queue(1 << 20)
    5.times { |index| @queue.push(index.to_s * 150_000) }
    20_000.times { File.size?(path("queue.1")) == 1 << 20 ? break : sleep(0.001) }
    File.delete(path("queue.1"))
    4.times { |index| @queue.push(index.to_s * 200_000) }
    @queue.close
    @queue = open_queue(1 << 20)
    assert_equal 9, @queue.to_a.size
    @queue.close
  end

  # States that a power cut can leave if the queue was not forced.

  def test_a_missing_head_ends_the_queue
    4.times { |index| @queue.push(index.to_s * 25) }
    @queue.close
    File.delete(path("queue.1"))
    _, warning = capture_io { @queue = open_queue }
    assert_match(/queue\.1 is missing.*ends with \S*queue\.0$/, warning)
    assert_match(/2 of the 4 items/, warning)
    assert_equal PageFiles::Meta.new(0, 58, 0, 0, 2), read_meta("queue")
    assert_equal ["0" * 25, "1" * 25], @queue.to_a
    @queue.push("on" * 20)
    assert_silent { reopen }
    assert_equal ["0" * 25, "1" * 25, "on" * 20], Array.new(3) { @queue.pop }
  end

  def test_missing_pages_up_to_the_head_end_the_queue
    5.times { |index| @queue.push(index.to_s * 40) }
    @queue.pop
    @queue.close
    [2, 3, 4].each { |page| File.delete(path("queue.#{page}")) }
    _, warning = capture_io { @queue = open_queue }
    assert_match(/queue\.2 and the pages behind it up to \S*queue\.4 are missing.*ends with \S*queue\.1$/, warning)
    assert_match(/3 of the 4 items/, warning)
    assert_equal ["1" * 40], @queue.to_a
  end

  def test_a_kill_while_the_head_was_moved_back_is_no_harm
    3.times { |index| @queue.push(index.to_s * 20) }
    @queue.close
    File.delete(path("queue.1"))
    # The offset already belongs to page 0.
    write_meta("queue", 1, 48, 0, 0, 3)
    capture_io { @queue = open_queue }
    assert_equal ["0" * 20, "1" * 20], @queue.to_a
  end

  def test_metadata_that_names_billions_of_pages
    @queue.push("a" * 40)
    @queue.close
    write_meta("queue", 2**60, 44, 0, 0, 1)
    capture_io { @queue = open_queue }
    assert_equal ["a" * 40], @queue.to_a
    @queue.close
    write_meta("queue", 10**15, 5, 0, 0, 3)
    write_page("queue", 10**15, PAGE, "z")
    assert_match(/queue\.1 is missing/, assert_raises(Mmap::PageHandlerError) { open_queue }.message)
  end

  def test_missing_pages_in_the_middle_are_left_out
    6.times { |index| @queue.push(index.to_s * 40) }
    @queue.close
    [1, 2, 4].each { |page| File.delete(path("queue.#{page}")) }
    _, warning = capture_io { @queue = open_queue }
    assert_match(/queue\.1 and the pages behind it up to \S*queue\.2 are missing.*goes on with \S*queue\.3$/, warning)
    assert_match(/queue\.4 is missing.*goes on with \S*queue\.5$/, warning)
    assert_match(/3 of the 6 items/, warning)
    assert_equal %w[0 3 5], @queue.map { |item| item[0] }
    assert_silent { reopen }
    assert_equal %w[0 3 5], Array.new(3) { @queue.pop[0] }
    assert_equal %w[queue queue.5], files
  end

  def test_only_a_page_in_the_middle_is_there
    5.times { |index| @queue.push(index.to_s * 40) }
    @queue.close
    [0, 1, 3, 4].each { |page| File.delete(path("queue.#{page}")) }
    _, warning = capture_io { @queue = open_queue }
    assert_match(/queue\.0 and the.* queue.*begins with.*queue\.2/, warning)
    assert_match(/queue\.3 and the.*ends with \S*queue\.2/, warning)
    assert_equal ["2" * 40], @queue.to_a
    @queue.pop
    @queue.push("on")
    assert_equal ["on"], @queue.to_a
  end

  # The file of the read page became the head's file, but its new name did not get to the disk.
  def test_a_page_that_may_be_the_missing_one_is_kept
    2.times do |round|
      3.times { |index| @queue.push(index.to_s * 40) }
      2.times { @queue.pop }
      tail = read_meta("queue").tail_page
      @queue.close
      File.rename(path("queue.#{tail + 1}"), path("queue.#{tail - 1}"))
      _, warning = capture_io { @queue = open_queue }
      aside = "queue.#{tail - 1}.lost"
      assert_match(/queue\.#{tail - 1} may be.*kept as \S*#{aside}$/, warning)
      assert_equal page_bytes("2" * 40), File.binread(path(aside))[0, 48]
      assert_equal 0, @queue.size
      @queue.clear
      File.rename(path(aside), path("other#{round}"))
    end
  end

  def test_the_only_page_may_have_its_name_from_before
    @queue.close
    write_meta("queue", 3, 7, 3, 0, 1)
    write_page("queue", 2, PAGE, "abc")
    2.times do |round|
      _, warning = capture_io { @queue = open_queue }
      assert_match(/queue\.3 is missing.*is empty/, warning)
      assert_match(/1 of the 1 items/, warning)
      assert_empty @queue
      assert_includes files, "queue.2.lost#{round.zero? ? "" : 2}"
      @queue.close
      write_meta("queue", 3, 7, 3, 0, 1)
      write_page("queue", 2, PAGE, "abc")
    end
    @queue = Mmap::PagedQueue.new(@handler = Mmap::PageCache.new(path("fresh"), page_size: PAGE))
  end

  def test_a_page_that_was_cut_off_ends_at_its_last_whole_record
    4.times { |index| @queue.push(index.to_s * 25) }
    @queue.close
    bytes = read_page("queue", 0)
    # Cuts in the bytes of the second record, in its length (twice), after the first record, in the first record, and at the start.
    { 57 => %w[0 2 3], 32 => %w[0 2 3], 30 => %w[0 2 3], 29 => %w[0 2 3], 28 => %w[2 3], 0 => %w[2 3] }.each do |size, expected|
      write_meta("queue", 1, 58, 0, 0, 4)
      File.binwrite(path("queue.0"), bytes[0, size])
      _, warning = capture_io { @queue = open_queue }
      assert_match(/queue\.0 was cut off after #{size} of its 64 bytes/, warning)
      assert_match(/#{4 - expected.size} of the 4 items/, warning)
      assert_equal expected, @queue.map { |item| item[0] }, size
      assert_silent { reopen }
      assert_equal expected, Array.new(expected.size) { @queue.pop[0] }
      @queue.close
      write_page("queue", 1, PAGE, "2" * 25, "3" * 25)
    end
    @queue = open_queue
  end

  # Pages that were read are deleted, but the metadata with the new tail did not get to the disk.
  def test_a_power_cut_that_left_old_metadata
    3.times { |index| @queue.push(index.to_s * 40) }
    @queue.close
    File.delete(path("queue.0"))
    _, warning = capture_io { @queue = open_queue }
    assert_match(/queue\.0 is missing.*begins with.*queue\.1/, warning)
    assert_match(/1 of the 3 items/, warning)
    assert_equal ["1" * 40, "2" * 40], @queue.to_a
    assert_equal 2, @queue.size
    @queue.close
    [1, 2].each { |page| File.delete(path("queue.#{page}")) }
    _, warning = capture_io { @queue = open_queue }
    assert_match(/queue\.1 and the pages behind it up to \S*queue\.2 are missing.*is empty/, warning)
    assert_empty @queue.to_a
    @queue.push("on")
    reopen
    assert_equal ["on"], @queue.to_a
  end

  def test_pages_of_another_size_are_named
    2.times { |index| @queue.push(index.to_s * 40) }
    @queue.close
    [0, 1].each { |page| File.truncate(path("queue.#{page}"), 50) }
    assert_match(/queue\.0 has 50 bytes/, assert_raises(Mmap::PageHandlerError) { open_queue }.message)
  end

  def test_killed_while_the_head_moved_to_the_next_page
    @queue.push("a" * 30)
    @queue.close
    # The head's page number is stored, but its offset still belongs to the previous page.
    write_meta("queue", 1, 34, 0, 0, 1)
    write_page("queue", 1, PAGE, "new", rest: "\0")
    capture_io { @queue = open_queue }
    assert_equal ["a" * 30, "new"], @queue.to_a
    assert_equal 2, @queue.size
  end

  def test_killed_before_a_page_was_deleted
    3.times { |index| @queue.push(index.to_s * 40) }
    @queue.close
    write_meta("queue", 2, 44, 2, 0, 1)
    @queue = open_queue
    assert_equal %w[queue queue.2], files
    assert_equal ["2" * 40], @queue.to_a
  end

  def test_killed_while_a_page_was_created
    @queue.push("a" * 40)
    @queue.close
    File.binwrite(path("queue.1"), "half")
    @queue = open_queue
    @queue.push("b" * 40)
    assert_equal ["a" * 40, "b" * 40], @queue.to_a
  end

  def test_a_killed_push_does_not_reach_into_the_next_page
    @queue.push("a" * 20)
    @queue.close
    File.binwrite(path("queue.0"), [20].pack("l>") + "a" * 20 + [3].pack("l>") + "bad" + "\0" * 33)
    @queue = open_queue
    @queue.push("b" * 50)
    assert_equal ["a" * 20, "b" * 50], @queue.to_a
    assert_equal ["a" * 20, "b" * 50], [@queue.pop, @queue.pop]
  end

  def test_a_torn_page_in_the_middle_is_reported
    @queue.close
    write_meta("queue", 1, 7, 0, 0, 3)
    File.binwrite(path("queue.0"), page_bytes("abc")[0, 7] + [77].pack("l>") + "\1" * (PAGE - 11))
    write_page("queue", 1, PAGE, "def")
    _, warning = capture_io { @queue = open_queue }
    assert_match(/queue\.0 is torn.*at 7/, warning)
    assert_equal 2, @queue.size
    assert_equal %w[abc def], [@queue.pop, @queue.pop]
    assert_equal 0, @queue.size
  end

  def test_large_pages_are_used_again
    size = 1 << 20
    handler = Mmap::PageCache.new(path("large"), page_size: size)
    queue = Mmap::PagedQueue.new(handler)
    record = size / 4
    40.times do |index|
      queue.push(index.to_s.ljust(record, "."))
      queue.push(index.to_s.ljust(record, "-"))
      assert_equal index.to_s.ljust(record, "."), queue.pop
      assert_equal index.to_s.ljust(record, "-"), queue.pop
    end
    head = handler.meta.head_page_index
    assert_operator head, :>, 20
    assert_empty files.grep(/large\.\d/) - (head - 1..head + 2).map { |page| "large.#{page}" }
    queue.push("last")
    queue.close
    assert_empty files & ["large.#{head + 1}", "large.#{head + 2}"]
    handler = Mmap::PageCache.new(path("large"), page_size: size)
    assert_equal ["last"], Mmap::PagedQueue.new(handler).to_a
    handler.purge
  end
end

class MmapLargePagesTest < OutcropTest
  include PageFiles

  MIB = 1 << 20

  def open_queue
    Mmap::PagedQueue.new(@handler = Mmap::PageCache.new(path("large"), page_size: MIB))
  end

  # For any backlog, a page that was read to its end is reused, before or after the next page was prepared.
  def test_pages_are_used_again_for_any_backlog
    record = "x" * (MIB / 16 - 4)
    [0, 4, 8, 12, 15, 16, 20, 28, 45].each do |backlog|
      queue = open_queue
      backlog.times { queue.push(record) }
      kept = {}
      (20 * 16).times do
        queue.push(record)
        assert_equal record, queue.pop
        keep(kept)
      end
      # The head, the tail, the pages between them, and two spare pages.
      assert_operator kept.size, :<=, (backlog / 16) + 4, "with #{backlog} records waiting"
      queue.purge
      assert_empty files - kept.values
      FileUtils.rm(kept.values.map { |name| path(name) })
    end
  end

  # A hard link keeps the inode number in use, so that no other file gets it.
  def keep(kept)
    files.grep(/\Alarge\.\d+\z/).each do |name|
      number = File.stat(path(name)).ino
      File.link(path(name), path(kept[number] = "kept#{number}")) unless kept.key?(number)
    rescue Errno::ENOENT
      # The file was deleted and created again at this moment.
    end
  end

  def test_pages_ahead_that_a_kill_left_are_used
    queue = open_queue
    queue.push("first")
    queue.close
    [1, 2].each { |page| write_page("large", page, MIB, "old" * 1000) }
    queue = open_queue
    assert_equal ["first"], queue.to_a
    items = Array.new(20) { |index| index.to_s * 150_000 }
    items.each { |item| queue.push(item) }
    assert_equal ["first", *items], Array.new(21) { queue.pop }
    queue.purge
    assert_empty files
  end

  # After clear, page numbers start at 0 again, so the numbers of the prepared page and the mapped pages change.
  def test_clear_leaves_no_page_behind_that_is_used_by_another_number
    queue = open_queue
    items = ("a".."e").map { |letter| letter * 300_000 }
    items.each { |item| queue.push(item) }
    queue.clear
    items.each { |item| queue.push(item) }
    assert_equal items, queue.to_a
    queue.close
    queue = open_queue
    assert_equal items, queue.to_a
    assert_equal items, Array.new(5) { queue.pop }
  ensure
    queue&.purge
  end
end
