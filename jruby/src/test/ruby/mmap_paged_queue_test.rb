# frozen_string_literal: true

require_relative "page_files"
require_relative "test_helper"

# What both page handlers have in common.
module MmapPagedQueueTests
  include PageFiles

  PAGE = 64

  def setup
    super
    @queue = open_queue
  end

  def teardown
    @queue.close
    super
  end

  def reopen
    @queue.close
    @queue = open_queue
  end

  def test_what_a_block_throws_is_raised_as_it_is
    @queue << "a"
    [Java::java.lang.IllegalStateException.new("mine"), Java::java.io.IOException.new("mine"), KeyError.new("mine")].each do |error|
      assert_same error, assert_raises(error.class) { @queue.each { raise error } }
    end
    assert_equal 1, @queue.each { break 1 }
  end

  def test_whoever_opens_a_path_again_has_its_records
    @queue << "a"
    again = open_queue
    assert_includes assert_raises(IOError) { @queue.pop }.message, "another queue was opened on its path"
    assert_equal ["a"], again.to_a
    @queue = again
  end

  def test_writes_the_format
    assert_equal 7, @queue.push("abc")
    assert_equal 6, @queue << "é"
    @handler.force
    assert_equal page_bytes("abc", "é").ljust(PAGE, "\0"), read_page("queue", 0)
    assert_equal PageFiles::Meta.new(0, 13, 0, 0, 2), read_meta("queue")
    assert_equal "abc", @queue.pop
    assert_equal PageFiles::Meta.new(0, 13, 0, 7, 1), read_meta("queue")
    assert_equal 6, @queue.skip
    assert_equal PageFiles::Meta.new(0, 13, 0, 13, 0), read_meta("queue")
  end

  def test_reads_the_format
    @queue.close
    write_meta("queue", 0, 20, 0, 0, 3)
    write_page("queue", 0, PAGE, "ab", "cde", "fgh", rest: "\xff".b)
    @queue = open_queue
    assert_equal 3, @queue.size
    assert_equal %w[ab cde fgh], [@queue.pop, @queue.shift, @queue.pop]
    assert_nil @queue.pop
  end

  def test_meta_is_what_the_file_says
    @queue.push("abc")
    @queue.push("de")
    @queue.pop
    meta = @handler.meta
    assert_equal [0, 13, 0, 7, 1],
                 [meta.head_page_index, meta.head_page_offset, meta.tail_page_index, meta.tail_page_offset, meta.size]
    @queue.pop
    assert_equal 0, meta.size
    assert_equal 13, meta.tail_page_offset
  end

  def test_page_sizes
    assert_equal PAGE, @handler.page_size
    assert_equal PAGE - 8, @handler.page_usable_size
    assert_equal PAGE - 4, @queue.push("x" * (PAGE - 8))
    error = assert_raises(Mmap::PageHandlerError) { @queue.push("x" * (PAGE - 7)) }
    assert_kind_of StandardError, error
    assert_match(/57 bytes.*queue/, error.message)
    assert_equal 1, @queue.size
    assert_equal "x" * (PAGE - 8), @queue.pop
  end

  def test_an_empty_record_is_refused
    assert_match(/empty/, assert_raises(Mmap::PageHandlerError) { @queue.push("") }.message)
    assert_equal 0, @queue.size
  end

  def test_only_strings
    assert_raises(TypeError) { @queue.push(nil) }
    assert_raises(TypeError) { @queue << 1 }
    assert_equal 0, @queue.size
  end

  def test_strings_of_any_encoding_and_kind
    [("x" * 100 + "slice")[100..], "é".encode("UTF-16LE"), "frozen", "\xff\x00".b, +"mutable"].each do |string|
      @queue.push(string)
      popped = @queue.pop
      assert_equal string.b, popped
      assert_equal Encoding::BINARY, popped.encoding
      refute_predicate popped, :frozen?
    end
  end

  def test_empty
    assert_nil @queue.pop
    assert_nil @queue.shift
    assert_equal 0, @queue.skip
    assert_equal 0, @queue.length
    assert_empty @queue
    assert_empty @queue.to_a
  end

  def test_each_visits_without_removing
    @queue << "a"
    @queue << "b"
    @queue.pop
    @queue << "c"
    assert_kind_of Enumerable, @queue
    assert_equal %w[b c], @queue.to_a
    assert_equal %w[B C], @queue.each.map(&:upcase)
    assert_equal 2, @queue.size
    seen = []
    assert_same @queue, @queue.each { |item| seen << item }
    assert_equal %w[b c], seen
    assert_equal "b", @queue.first
  end

  def test_each_may_pop_and_push
    %w[a b c].each { |item| @queue.push(item) }
    seen = []
    @queue.each do |item|
      seen << item
      2.times { @queue.pop } if item == "a"
      @queue.push("d") if item == "c"
    end
    assert_equal %w[a c d], seen
  end

  def test_is_there_again
    @queue.push("abc")
    @queue.push("def")
    @queue.pop
    reopen
    assert_equal 1, @queue.size
    assert_equal "def", @queue.pop
  end

  def test_clear_zeroes_the_metadata
    3.times { |index| @queue.push("item #{index}") }
    @queue.pop
    pages = files
    assert_same @queue, @queue.clear
    assert_equal pages, files
    assert_equal PageFiles::Meta.new(0, 0, 0, 0, 0), read_meta("queue")
    assert_nil @queue.pop
    @queue.push("again")
    reopen
    assert_equal ["again"], @queue.to_a
  end

  def test_raises_once_it_is_closed
    @queue.push("abc")
    assert_nil @queue.close
    assert_nil @queue.close
    calls = [-> { @queue.push("a") }, -> { @queue.pop }, -> { @queue.skip }, -> { @queue.size }, -> { @queue.clear }, -> { @queue.empty? },
             -> { @queue.each { flunk } }, -> { @handler.meta.size }, -> { @handler.force }]
    calls.each { |call| assert_match(/closed/, assert_raises(IOError, &call).message) }
    assert_equal ["abc"], open_queue.tap { |queue| @queue = queue }.to_a
  end

  def test_purge_deletes_everything
    @queue.push("abc")
    File.write(path("queue.bak"), "")
    File.write(path("queue.1x"), "")
    assert_nil @queue.purge
    assert_equal %w[queue.1x queue.bak], files
    assert_raises(IOError) { @queue.push("a") }
    assert_nil @queue.purge
  end

  def test_purge_works_after_close
    @queue.push("abc")
    @queue.close
    @queue.purge
    assert_empty files
  end

  def test_impossible_metadata_names_the_file
    [[0, PAGE + 1, 0, 0, 0], [0, -1, 0, 0, 0], [0, 0, 0, 2**31 - 1, 0], [-1, 0, 0, 0, 0], [0, 0, -1, 0, 0], [0, 0, 0, 0, -1], [0, 0, 3, 0, 1],
     [0, 8, 0, 16, 9]].each do |meta|
      @queue.close
      write_meta("queue", *meta)
      write_page("queue", 0, PAGE, "abc")
      error = assert_raises(Mmap::PageHandlerError, meta.inspect) { open_queue }
      assert_includes error.message, path("queue")
    end
    File.delete(path("queue"))
  end

  def test_a_file_that_is_no_metadata
    @queue.close
    File.write(path("queue"), "my diary")
    assert_match(/8 bytes/, assert_raises(Mmap::PageHandlerError) { open_queue }.message)
    assert_equal "my diary", File.read(path("queue"))
    File.delete(path("queue"))
  end

  def test_another_page_size_is_noticed
    @queue.push("abc")
    @queue.close
    error = assert_raises(Mmap::PageHandlerError) { open_queue(PAGE * 2) }
    assert_match(/queue\.0 has 64 bytes, but page_size is 128/, error.message)
  end

  def test_page_sizes_that_cannot_be
    @queue.close
    [8, 0, -1].each { |size| assert_raises(ArgumentError) { open_queue(size) } }
    assert_raises(RangeError) { open_queue(2**31) }
    assert_raises(TypeError) { open_queue("64") }
  end

  def test_needs_a_page_handler
    assert_raises(TypeError) { Mmap::PagedQueue.new("queue") }
    assert_raises(ArgumentError) { Mmap::PagedQueue.new }
    assert_raises(IOError) { Mmap::PagedQueue.allocate.pop }
  end

  # What a process can leave that is killed between two stores.

  def test_killed_before_the_metadata
    @queue.push("abc")
    @queue.close
    # The record's length and bytes are there, the head is not moved.
    write_page("queue", 0, PAGE, "abc", "never returned", rest: "\0")
    @queue = open_queue
    assert_equal ["abc"], @queue.to_a
    @queue.push("d")
    assert_equal page_bytes("abc", "d"), read_page("queue", 0)[0, 16]
    assert_equal %w[abc d], @queue.to_a
  end

  def test_killed_before_the_size
    @queue.push("abc")
    @queue.push("def")
    @queue.close
    [[0, 14, 0, 0, 1], [0, 14, 0, 7, 2]].each do |meta|
      write_meta("queue", *meta)
      @queue = open_queue
      assert_equal @queue.to_a.size, @queue.size
      assert_equal @queue.size, read_meta("queue").size
      @queue.close
    end
  end

  def test_a_tail_beyond_the_head_gives_no_old_records
    @queue.push("abc")
    # Into the file that is mapped.
    File.open(path("queue"), "r+b") { |file| file.write([0, 7, 1, 0, 1].pack("q>l>q>l>l>")) }
    assert_nil @queue.pop
    assert_equal 0, @queue.skip
    @queue.clear
  end

  def test_killed_while_it_was_cleared
    @queue.push("abc")
    @queue.close
    write_meta("queue", 0, 0, 0, 7, 0)
    @queue = open_queue
    assert_equal 0, @queue.size
    @queue.push("def")
    assert_equal ["def"], @queue.to_a
  end

  def test_a_torn_tail_is_cut_off_and_reported
    torn = { "no record" => "\0" * PAGE, "too long" => page_bytes("abc") [0, 7] + [99].pack("l>") + "\0" * (PAGE - 11),
             "negative" => page_bytes("abc")[0, 7] + [-5].pack("l>") + "\1" * (PAGE - 11) }
    torn.each do |what, page|
      @queue.close
      write_meta("queue", 0, 21, 0, 0, 3)
      File.binwrite(path("queue.0"), page)
      _, warning = capture_io { @queue = open_queue }
      assert_match(/queue\.0 is torn.*21/, warning, what)
      expected = what == "no record" ? [] : ["abc"]
      assert_equal expected, @queue.to_a, what
      @queue.push("on")
      assert_equal expected + ["on"], @queue.to_a, what
    end
  end

  def test_a_head_that_was_cut_off_ends_at_its_last_whole_record
    @queue.close
    page = page_bytes("abc", "def", "ghi")
    { 20 => %w[abc def], 15 => %w[abc def], 14 => %w[abc def], 13 => %w[abc], 6 => [], 0 => [] }.each do |size, expected|
      write_meta("queue", 0, 21, 0, 0, 3)
      File.binwrite(path("queue.0"), page[0, size])
      _, warning = capture_io { @queue = open_queue }
      assert_match(/queue\.0 was cut off after #{size} of its 64 bytes/, warning)
      assert_match(/#{3 - expected.size} of the 3 items/, warning)
      assert_equal expected, @queue.to_a, size
      assert_equal PAGE, File.size(path("queue.0"))
      @queue.push("on")
      assert_silent { reopen }
      assert_equal expected + ["on"], @queue.to_a, size
      @queue.close
    end
    @queue = open_queue
  end

  def test_the_only_page_is_missing
    2.times { |index| @queue.push(index.to_s) }
    @queue.close
    File.delete(path("queue.0"))
    _, warning = capture_io { @queue = open_queue }
    assert_match(/queue\.0 is missing.*is empty/, warning)
    assert_match(/2 of the 2 items/, warning)
    assert_empty @queue.to_a
    assert_equal 0, @queue.size
    @queue.push("on")
    assert_silent { reopen }
    assert_equal ["on"], @queue.to_a
  end

  def test_random_use_is_that_of_an_array
    seed = ENV.fetch("SEED", Random.new_seed % 1_000_000).to_i
    random = Random.new(seed)
    model = []
    3000.times do |step|
      case random.rand(20)
      when 0..8
        item = random.bytes(1 + random.rand(PAGE - 8))
        begin
          @queue.push(item)
          model.push(item)
        rescue Mmap::PageHandlerError
          assert_full(model, item)
        end
      when 9..15 then assert_equal([model.shift], [@queue.pop], "seed #{seed}, step #{step}")
      when 16 then assert_equal((model.shift&.bytesize || -4) + 4, @queue.skip, "seed #{seed}, step #{step}")
      when 17 then reopen
      when 18 then (@queue.clear && model.clear) if random.rand(20).zero?
      else
        assert_equal model, @queue.to_a, "seed #{seed}, step #{step}"
        assert_equal model.size, @queue.size, "seed #{seed}, step #{step}"
      end
    end
  end
end

class MmapPageCacheTest < OutcropTest
  include MmapPagedQueueTests

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
    assert_raises(ArgumentError) { Mmap::PageCache.new(path("other"), size: 1) }
  end

  def test_a_record_that_does_not_fit_starts_the_next_page
    @queue.push("a" * 30)
    @queue.push("b" * 22) # 34 + 26 + 4 = 64: just fits
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
    assert_equal 44, @queue.skip
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

  # What a power cut can leave of a queue that was not forced.

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
    # The offset is that of page 0 already.
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

  # Its file has become the head's, and the disk did not get to know.
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
    # In the second record's bytes, in its length, behind the first, in the first, nothing.
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

  # Pages that were read are gone, and the metadata that says so was not written.
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
    # The head's page is stored, its offset is still that of the page before.
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

  # Whatever part of a page waits: what is read to its end is used again, before or after the next page was prepared.
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
      # Head, tail, what is between them, and two spare ones.
      assert_operator kept.size, :<=, (backlog / 16) + 4, "with #{backlog} records waiting"
      queue.purge
      assert_empty files - kept.values
      FileUtils.rm(kept.values.map { |name| path(name) })
    end
  end

  # Links keep the number of a file, so that no other one gets it.
  def keep(kept)
    files.grep(/\Alarge\.\d+\z/).each do |name|
      number = File.stat(path(name)).ino
      File.link(path(name), path(kept[number] = "kept#{number}")) unless kept.key?(number)
    rescue Errno::ENOENT
      # It was created anew at this moment.
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

  # The page that was prepared, and those that are mapped, have other numbers then.
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

class MmapSinglePageTest < OutcropTest
  include MmapPagedQueueTests

  def open_queue(page_size = PAGE)
    @handler = Mmap::SinglePage.new(path("queue"), page_size: page_size)
    Mmap::PagedQueue.new(@handler)
  end

  def assert_full(model, item)
    used = model.sum { |record| record.bytesize + 4 }
    refute_empty model
    # Two marks, and what is left at the end of the page, which is less than the record and its own.
    assert_operator used + 2 * (item.bytesize + 8) + 8, :>, PAGE - 8
  end

  def test_defaults
    handler = Mmap::SinglePage.new(path("other"))
    assert_equal 100 * 1024 * 1024, handler.page_size
    handler.purge
    assert_raises(ArgumentError) { Mmap::SinglePage.new(path("other"), cache_size: 2) }
  end

  def test_the_index_goes_up_and_the_file_stays
    10.times do |index|
      @queue.push(index.to_s * 40)
      assert_equal index.to_s * 40, @queue.pop
      assert_equal index, @handler.meta.head_page_index
    end
    assert_equal %w[queue queue.0], files
  end

  def test_is_full_instead_of_overwriting
    @queue.push("a" * 40)
    error = assert_raises(Mmap::PageHandlerError) { @queue.push("b" * 40) }
    assert_match(/no room for 40 bytes.*1 records/, error.message)
    assert_equal ["a" * 40], @queue.to_a
    @queue.pop
    @queue.push("b" * 40)
    @queue.push("c" * 4)
    assert_raises(Mmap::PageHandlerError) { @queue.push("d" * 8) }
    assert_equal "b" * 40, @queue.pop
    @queue.push("d" * 8)
    assert_equal ["c" * 4, "d" * 8], @queue.to_a
  end

  def test_the_end_mark_needs_room_too
    @queue.push("a" * 20) # 0..24
    @queue.push("b" * 24) # 24..52
    @queue.pop
    assert_raises(Mmap::PageHandlerError) { @queue.push("c" * 17) }
    @queue.push("c" * 16) # 0..20, its mark to 24
    assert_equal ["b" * 24, "c" * 16], @queue.to_a
    reopen
    assert_equal ["b" * 24, "c" * 16], [@queue.pop, @queue.pop]
    assert_nil @queue.pop
  end

  def test_reads_a_lap_of_others
    @queue.close
    write_meta("queue", 8, 7, 7, 24, 2)
    File.binwrite(path("queue.0"), page_bytes("new").ljust(24, "\xff".b) + page_bytes("old").ljust(PAGE - 24, "\xff".b))
    @queue = open_queue
    assert_equal %w[old new], @queue.to_a
    assert_equal %w[old new], [@queue.pop, @queue.pop]
  end

  def test_killed_while_the_head_began_the_next_lap
    @queue.close
    # Its offset is stored, its page is not.
    write_meta("queue", 7, 7, 7, 24, 2)
    File.binwrite(path("queue.0"), page_bytes("new").ljust(24, "\xff".b) + page_bytes("one", "two").ljust(PAGE - 24, "\xff".b))
    @queue = open_queue
    assert_equal %w[one two], @queue.to_a
    @queue.push("three")
    assert_equal %w[one two three], @queue.to_a
  end

  def test_what_the_old_gem_wrote_over_is_reported
    @queue.close
    write_meta("queue", 9, 14, 7, 24, 20)
    write_page("queue", 0, PAGE, "one", "two")
    _, warning = capture_io { @queue = open_queue }
    assert_match(/written over/, warning)
    assert_equal %w[one two], @queue.to_a
    assert_equal 2, @queue.size
  end

  def test_a_lap_that_was_cut_off
    @queue.close
    bytes = page_bytes("new").ljust(24, "\xff".b) + page_bytes("old", "ancient")
    # All of the lap before is gone, and a part of this one.
    { 23 => %w[new], 10 => %w[new], 6 => [] }.each do |size, expected|
      write_meta("queue", 8, 7, 7, 24, 3)
      File.binwrite(path("queue.0"), bytes[0, size])
      _, warning = capture_io { @queue = open_queue }
      assert_match(/queue\.0 was cut off after #{size}/, warning)
      assert_equal expected, @queue.to_a
      @queue.close
    end
    @queue = open_queue
  end

  def test_begins_again_when_everything_was_read
    @queue.push("a" * 40)
    @queue.pop
    @queue.push("b" * 56)
    assert_equal ["b" * 56], @queue.to_a
    assert_equal PageFiles::Meta.new(1, 60, 1, 0, 1), read_meta("queue")
  end
end
