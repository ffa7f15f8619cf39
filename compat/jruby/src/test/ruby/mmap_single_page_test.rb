# frozen_string_literal: true

require_relative "page_files"
require_relative "paged_queue_tests"
require_relative "test_helper"

# Shared tests for a single page, with and without overwriting.
module MmapSinglePageTests
  include MmapPagedQueueTests

  def test_defaults
    handler = Mmap::SinglePage.new(path("other"))
    assert_equal 100 * 1024 * 1024, handler.page_size
    handler.purge
  end

  def test_the_index_goes_up_and_the_file_stays
    10.times do |index|
      @queue.push(index.to_s * 40)
      assert_equal index.to_s * 40, @queue.pop
      assert_equal index, @handler.meta.head_page_index
    end
    assert_equal %w[queue queue.0], files
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
    # The head's offset is stored, but its page is not.
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
    # The previous lap is gone. The shorter sizes also cut off a part of this lap.
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

  def test_killed_while_a_lap_began_behind_the_last_record
    @queue.close
    # The tail has passed all records. The head has not moved, or only its offset has.
    [[7, 48, 8, 0, 0], [7, 20, 8, 0, 0]].each do |meta|
      write_meta("queue", *meta)
      write_page("queue", 0, PAGE, "new" * 5, "old" * 4)
      assert_silent { @queue = open_queue }
      assert_empty @queue.to_a
      @queue.push("on")
      assert_equal ["on"], @queue.to_a
      @queue.close
    end
    @queue = open_queue
  end
end

class MmapSinglePageTest < OutcropTest
  include MmapSinglePageTests

  def open_queue(page_size = PAGE)
    @handler = Mmap::SinglePage.new(path("queue"), page_size: page_size)
    Mmap::PagedQueue.new(@handler)
  end

  def pushed(model, item)
    model.push(item)
  end

  def assert_full(model, item)
    used = model.sum { |record| record.bytesize + 4 }
    refute_empty model
    # Allows for two end marks, and for the rest at the end of the page: a record that did not fit there is at the beginning.
    longest = [item, *model].map(&:bytesize).max
    assert_operator used + item.bytesize + longest + 24, :>, PAGE - 8
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
    @queue.push("c" * 16) # 0..20, its end mark to 24
    assert_equal ["b" * 24, "c" * 16], @queue.to_a
    reopen
    assert_equal ["b" * 24, "c" * 16], [@queue.pop, @queue.pop]
    assert_nil @queue.pop
  end
end

# With overwrite: true.
class MmapOverwrittenPageTest < OutcropTest
  include MmapSinglePageTests

  def open_queue(page_size = PAGE)
    @handler = Mmap::SinglePage.new(path("queue"), page_size: page_size, overwrite: true)
    Mmap::PagedQueue.new(@handler)
  end

  def meta
    meta = @handler.meta
    [meta.head_page_index, meta.head_page_offset, meta.tail_page_index, meta.tail_page_offset, meta.size]
  end

  # The head shows the place of the new record. The records of the previous lap that overlap it or its end mark are gone, and so are the
  # records of earlier laps. All others stay.
  def pushed(model, item)
    lap, end_of_record = meta
    @places = (@places || []).last(model.size)
    gone = @places.take_while { |of, at| of < lap - 1 || (of == lap - 1 && at < end_of_record + 4) }.size
    @places = @places.drop(gone) << [lap, end_of_record - 4 - item.bytesize]
    model.replace(model.drop(gone) << item)
  end

  def assert_full(_model, item)
    flunk "A page that is written over is never full, but refused #{item.bytesize} bytes"
  end

  def test_the_oldest_records_go
    %w[a b c].each { |letter| @queue.push(letter * 12) } # 0..16, 16..32, 32..48
    assert_equal [0, 48, 0, 0, 3], meta
    assert_equal 12, @queue.push("d" * 12) # 0..16, its end mark to 20: a and b are in the way
    assert_equal [1, 16, 0, 32, 2], meta
    assert_equal 8, @queue << "e" * 8 # 16..28, its end mark to 32
    assert_equal [1, 28, 0, 32, 3], meta
    @queue.push("f") # 28..33: c is in the way, the last of its lap
    assert_equal [1, 33, 1, 0, 3], meta
    assert_equal ["d" * 12, "e" * 8, "f"], @queue.to_a
    @queue.push("g" * 19) # 33..56, its end mark to 60
    assert_equal [1, 56, 1, 0, 4], meta
    @queue.push("h" * 21) # 0..25, its end mark to 29: d, e and f are in the way
    assert_equal [2, 25, 1, 33, 2], meta
    assert_silent { reopen }
    assert_equal ["g" * 19, "h" * 21], [@queue.pop, @queue.pop]
    assert_nil @queue.pop
  end

  def test_records_of_two_laps_go_at_once
    @queue.push("a" * 8) # 0..12
    @queue.push("b" * 20) # 12..36
    @queue.push("c" * 16) # 36..56
    2.times { @queue.pop }
    @queue.push("d" * 24) # 0..28 of the next lap
    assert_equal [1, 28, 0, 36, 2], meta
    @queue.push("e" * 40) # 0..44 of the lap after that
    assert_equal [2, 44, 2, 0, 1], meta
    assert_equal ["e" * 40], @queue.to_a
  end

  def test_the_largest_record_goes_alone
    3.times { |index| @queue.push(index.to_s * 8) }
    assert_equal PAGE - 8, @queue.push("x" * (PAGE - 8))
    assert_equal ["x" * (PAGE - 8)], @queue.to_a
    assert_silent { reopen }
    assert_equal "x" * (PAGE - 8), @queue.pop
  end

  def test_without_overwriting_it_is_read_on
    20.times { |index| @queue.push("item #{index}") }
    left = @queue.to_a
    @queue.close
    assert_silent { @queue = Mmap::PagedQueue.new(Mmap::SinglePage.new(path("queue"), page_size: PAGE)) }
    assert_equal left, @queue.to_a
    error = assert_raises(Mmap::PageHandlerError) { 2.times { @queue.push("x" * 20) } }
    assert_includes error.message, "overwrite: true"
    assert_equal left.size, @queue.to_a.count { |item| item.start_with?("item") }
  end

  def test_each_goes_on_with_what_is_left
    5.times { |index| @queue.push("item #{index}") } # 10 bytes each: 0..50
    seen = []
    @queue.each do |item|
      seen << item
      # 0..22: items 0, 1 and 2 are in the way.
      @queue.push("x" * 18) if item == "item 0"
    end
    assert_equal ["item 0", "item 3", "item 4", "x" * 18], seen
  end

  def test_overwrites_also_when_another_queue_gets_the_page
    again = Mmap::PagedQueue.new(@handler)
    10.times { |index| again.push(index.to_s * 30) }
    assert_equal ["9" * 30], again.to_a
    @queue = again
  end
end
