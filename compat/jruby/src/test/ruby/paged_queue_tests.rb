# frozen_string_literal: true

require_relative "page_files"

# Shared tests for all page handlers.
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

  def test_opening_a_path_again_gives_its_records
    @queue << "a"
    again = open_queue
    assert_includes assert_raises(IOError) { @queue.pop }.message, "another queue was opened on its path"
    assert_equal ["a"], again.to_a
    @queue = again
  end

  def test_writes_the_format
    assert_equal 3, @queue.push("abc")
    assert_equal 2, @queue << "é"
    @handler.force
    assert_equal page_bytes("abc", "é").ljust(PAGE, "\0"), read_page("queue", 0)
    assert_equal PageFiles::Meta.new(0, 13, 0, 0, 2), read_meta("queue")
    assert_equal "abc", @queue.pop
    assert_equal PageFiles::Meta.new(0, 13, 0, 7, 1), read_meta("queue")
    assert_equal 2, @queue.skip
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
    assert_equal PAGE - 8, @queue.push("x" * (PAGE - 8))
    error = assert_raises(Mmap::PageHandlerError) { @queue.push("x" * (PAGE - 7)) }
    assert_kind_of StandardError, error
    assert_match(/57 bytes.*queue/, error.message)
    assert_equal 1, @queue.size
    assert_equal "x" * (PAGE - 8), @queue.pop
  end

  def test_of_what_cannot_be_kept_nothing_is_written
    like_a_string = Object.new
    def like_a_string.to_str = "abc"
    @queue.push("a")
    page = read_page("queue", 0)
    ["", nil, 1, :abc, ["abc"], like_a_string].each do |object|
      assert_equal 0, @queue.push(object)
      assert_equal 0, @queue << object
    end
    assert_equal PageFiles::Meta.new(0, 5, 0, 0, 1), read_meta("queue")
    assert_equal page, read_page("queue", 0)
    assert_equal ["a"], @queue.to_a
    @queue.close
    assert_raises(IOError) { @queue.push("") }
  end

  def test_a_string_of_a_subclass
    assert_equal 3, @queue.push(Class.new(String).new("abc"))
    assert_equal "abc", @queue.pop
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
    [[0, PAGE + 1, 0, 0, 0], [0, -1, 0, 0, 0], [0, 0, 0, 2**31 - 1, 0], [-1, 0, 0, 0, 0], [0, 0, -1, 0, 0], [0, 0, 0, 0, -1],
     [0, 0, 3, 0, 1],
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

  # States that a process can leave if it is killed between two stores.

  def test_killed_before_the_metadata
    @queue.push("abc")
    @queue.close
    # The record's length and bytes are stored, but the head has not moved.
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
    # Writes into the mapped file.
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

  def test_a_file_that_is_removed_under_the_queue_is_named_at_the_push
    ["queue.0", "queue"].each do |name|
      @queue.push("a")
      File.delete(path(name))
      # Not every push checks the files.
      sleep 0.002
      2.times do
        error = assert_raises(Mmap::PageHandlerError) { @queue.push("b") }
        assert_match(/#{path(name)} is missing, or was replaced.*nothing was pushed/, error.message)
      end
      assert_match(/#{path(name)} is missing/, assert_raises(Mmap::PageHandlerError) { @handler.force }.message)
      capture_io { reopen }
      @queue.push("on")
      assert_silent { reopen }
      assert_equal ["on"], @queue.to_a
      @queue.clear
    end
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
          assert_equal item.bytesize, @queue.push(item)
          pushed(model, item)
        rescue Mmap::PageHandlerError
          assert_full(model, item)
        end
      when 9..15 then assert_equal([model.shift], [@queue.pop], "seed #{seed}, step #{step}")
      when 16 then assert_equal(model.shift&.bytesize || 0, @queue.skip, "seed #{seed}, step #{step}")
      when 17 then reopen
      when 18 then (@queue.clear && model.clear) if random.rand(20).zero?
      else
        assert_equal model, @queue.to_a, "seed #{seed}, step #{step}"
        assert_equal model.size, @queue.size, "seed #{seed}, step #{step}"
      end
    end
  end
end
