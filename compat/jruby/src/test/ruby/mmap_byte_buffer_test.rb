# frozen_string_literal: true

require_relative "test_helper"

class MmapByteBufferTest < OutcropTest
  SIZE = 64

  def setup
    super
    @buffer = Mmap::ByteBuffer.new(path("file"), SIZE)
  end

  def teardown
    @buffer.close
    super
  end

  def content
    File.binread(path("file"))
  end

  def test_creates_a_file_of_zeros
    assert_equal "\0" * SIZE, content
    assert_equal SIZE, @buffer.size
    assert_equal SIZE, @buffer.limit
    assert_equal 0, @buffer.position
  end

  def test_a_path_is_text
    before = Dir.children(@directory)
    ["\xff", "\xfe\x01", "a\xc3"].each do |name|
      assert_raises(ArgumentError) { Mmap::ByteBuffer.new("#{@directory}/#{name}", SIZE) }
      assert_raises(ArgumentError) { Mmap::ByteBuffer.new(path("x").b + name.b, SIZE) }
    end
    assert_raises(ArgumentError) { Mmap::ByteBuffer.new(path("a\0b"), SIZE) }
    assert_equal before, Dir.children(@directory)
    Mmap::ByteBuffer.new(path("é").b, SIZE).close
    assert_equal SIZE, File.size(path("é"))
  end

  def test_keeps_what_a_longer_file_holds
    File.binwrite(path("longer"), "0123456789")
    buffer = Mmap::ByteBuffer.new(path("longer"), 4)
    assert_equal "0123", buffer.get_bytes(4)
    buffer.close
    assert_equal 10, File.size(path("longer"))
  end

  def test_makes_a_shorter_file_longer
    File.binwrite(path("shorter"), "ab")
    buffer = Mmap::ByteBuffer.new(path("shorter"), 4)
    assert_equal "ab\0\0", buffer.get_bytes(4)
    buffer.close
  end

  def test_maps_more_than_two_gigabytes
    size = 3 * 1024**3
    buffer = Mmap::ByteBuffer.new(path("large"), size)
    assert_equal size, buffer.size
    buffer.put_long(42, size - 8)
    buffer.position = size - 8
    assert_equal 42, buffer.get_long
    assert_equal size, buffer.position
    buffer.close
    assert_equal [42].pack("q>"), File.binread(path("large"), 8, size - 8)
  end

  def test_takes_a_pathname_relative_to_the_working_directory
    Dir.chdir(@directory) do
      Mmap::ByteBuffer.new("relative", 4).close
      require "pathname"
      Mmap::ByteBuffer.new(Pathname("with_pathname"), 4).close
    end
    assert_equal 4, File.size(path("relative"))
    assert_equal 4, File.size(path("with_pathname"))
  end

  def test_numbers_are_big_endian
    assert_same @buffer, @buffer.put_int(1)
    @buffer.put_int(-2)
    @buffer.put_long(3)
    @buffer.put_long(-4)
    assert_equal 24, @buffer.position
    assert_equal [1, -2].pack("l>2") + [3, -4].pack("q>2"), content[0, 24]
    @buffer.position = 0
    assert_equal [1, -2], [@buffer.get_int, @buffer.get_int]
    assert_equal [3, -4], [@buffer.get_long, @buffer.get_long]
  end

  def test_numbers_at_an_index_leave_the_position_alone
    @buffer.position = 7
    @buffer.put_int(5, 33)
    @buffer.put_long(6, 41)
    assert_equal [5].pack("l>"), content[33, 4]
    assert_equal [6].pack("q>"), content[41, 8]
    assert_equal 5, @buffer.get_int(33)
    assert_equal 6, @buffer.get_long(41)
    assert_equal 7, @buffer.position
  end

  def test_numbers_have_a_range
    [2**31 - 1, -2**31].each do |value|
      @buffer.put_int(value, 0)
      assert_equal value, @buffer.get_int(0)
    end
    [2**63 - 1, -2**63].each do |value|
      @buffer.put_long(value, 0)
      assert_equal value, @buffer.get_long(0)
    end
    [2**31, -2**31 - 1, 2**64].each { |value| assert_raises(RangeError) { @buffer.put_int(value) } }
    [2**63, -2**63 - 1].each { |value| assert_raises(RangeError) { @buffer.put_long(value, 0) } }
    assert_raises(TypeError) { @buffer.put_int("1") }
    assert_raises(TypeError) { @buffer.put_long(nil) }
    assert_equal 0, @buffer.position
  end

  def test_indexes_and_positions_have_a_range
    [-1, SIZE - 3, SIZE, 2**40].each { |index| assert_raises(IndexError) { @buffer.put_int(1, index) } }
    [-1, SIZE - 7, SIZE, 2**62].each { |index| assert_raises(IndexError) { @buffer.get_long(index) } }
    [-1, SIZE + 1].each { |position| assert_raises(IndexError) { @buffer.position = position } }
    assert_raises(RangeError) { @buffer.get_int(2**70) }
    @buffer.position = SIZE - 3
    assert_raises(IndexError) { @buffer.put_int(1) }
    assert_raises(IndexError) { @buffer.get_int }
    assert_raises(IndexError) { @buffer.put_bytes("1234") }
    assert_equal SIZE - 3, @buffer.position
    @buffer.position = SIZE
    assert_equal "", @buffer.get_bytes(0)
    assert_equal "\0" * SIZE, content
  end

  def test_bytes_count_never_characters
    @buffer.put_bytes("hé€")
    assert_equal 6, @buffer.position
    assert_equal "hé€".b, content[0, 6]
    @buffer.position = 0
    read = @buffer.get_bytes(6)
    assert_equal Encoding::BINARY, read.encoding
    assert_equal "hé€", read.force_encoding("UTF-8")
  end

  def test_strings_of_any_encoding_and_kind
    slice = ("x" * 100 + "slice")[100..]
    strings = ["frozen", "é".encode("ISO-8859-1"), "é".encode("UTF-16LE"), slice, "\xff\x00\x80".b, +"", "copy".dup.freeze]
    strings.each { |string| assert_same @buffer, @buffer.put_bytes(string) }
    expected = strings.map(&:b).join
    assert_equal expected.bytesize, @buffer.position
    assert_equal expected, content[0, expected.bytesize]
    @buffer.position = 0
    strings.each { |string| @buffer.put_bytes_copy(string) }
    assert_equal expected, content[0, expected.bytesize]
  end

  def test_parts_of_strings
    %i[put_bytes put_bytes_copy].each do |put|
      @buffer.position = 0
      @buffer.public_send(put, "a€bcd", 1)
      @buffer.public_send(put, "abcdef"[1..], 2, 2)
      @buffer.public_send(put, "abc", 3)
      @buffer.public_send(put, "abc", 0, 0)
      assert_equal 8, @buffer.position
      assert_equal "€bcdde".b, content[0, 8]
    end
  end

  def test_parts_outside_of_the_string
    %i[put_bytes put_bytes_copy].each do |put|
      assert_raises(IndexError) { @buffer.public_send(put, "abc", 4) }
      assert_raises(IndexError) { @buffer.public_send(put, "abc", -1) }
      assert_raises(IndexError) { @buffer.public_send(put, "abc", 1, 3) }
      assert_raises(ArgumentError) { @buffer.public_send(put, "abc", 1, -1) }
      assert_raises(ArgumentError) { @buffer.public_send(put) }
      assert_raises(ArgumentError) { @buffer.public_send(put, "abc", 0, 1, 2) }
      assert_raises(TypeError) { @buffer.public_send(put, nil) }
      assert_raises(TypeError) { @buffer.public_send(put, 1) }
    end
    assert_equal 0, @buffer.position
  end

  def test_reads_no_more_than_there_is
    assert_raises(ArgumentError) { @buffer.get_bytes(-1) }
    assert_raises(IndexError) { @buffer.get_bytes(SIZE + 1) }
    assert_raises(TypeError) { @buffer.get_bytes("1") }
    assert_equal SIZE, @buffer.get_bytes(SIZE).bytesize
  end

  def test_what_was_read_is_a_string_of_its_own
    @buffer.put_bytes("abc")
    @buffer.position = 0
    read = @buffer.get_bytes(3)
    read << "d"
    @buffer.put_bytes("xyz", 0, 0)
    assert_equal "abcd", read
    assert_equal "abc", content[0, 3]
  end

  def test_needs_a_size_and_a_path
    [0, -1].each { |size| assert_raises(ArgumentError) { Mmap::ByteBuffer.new(path("other"), size) } }
    assert_raises(RangeError) { Mmap::ByteBuffer.new(path("other"), 2**64) }
    assert_raises(ArgumentError) { Mmap::ByteBuffer.new(path("other")) }
    assert_raises(TypeError) { Mmap::ByteBuffer.new(nil, 4) }
    assert_raises(TypeError) { Mmap::ByteBuffer.new(path("other"), "4") }
    assert_raises(Errno::ENOENT) { Mmap::ByteBuffer.new(path("none/other"), 4) }
    assert_raises(Errno::ENOENT) { Mmap::ByteBuffer.new("", 4) }
    assert_raises(SystemCallError, IOError) { Mmap::ByteBuffer.new(@directory, 4) }
    refute File.exist?(path("other"))
  end

  def test_raises_once_it_is_closed
    @buffer.load
    @buffer.force
    assert_nil @buffer.close
    assert_nil @buffer.close
    assert_predicate @buffer, :closed?
    calls = [-> { @buffer.size }, -> { @buffer.limit }, -> { @buffer.position }, -> { @buffer.position = 1 }, -> { @buffer.load },
             -> { @buffer.put_int(1) }, -> { @buffer.get_int(0) }, -> { @buffer.put_long(1, 0) }, -> { @buffer.get_long },
             -> { @buffer.put_bytes("a") }, -> { @buffer.put_bytes_copy("a") }, -> { @buffer.get_bytes(0) }, -> { @buffer.force }]
    calls.each { |call| assert_match(/closed/, assert_raises(IOError, &call).message) }
    assert_raises(IOError) { Mmap::ByteBuffer.allocate.get_int }
    assert_raises(NoMethodError) { @buffer.dup }
  end

  def test_close_may_race_with_use
    10.times do
      buffer = Mmap::ByteBuffer.new(path("race"), 1 << 16)
      bytes = "x" * (1 << 16)
      users = Array.new(3) do
        Thread.new do
          loop do
            buffer.position = 0
            buffer.put_bytes(bytes)
          end
        rescue IOError
          :closed
        rescue IndexError
          # Another thread has moved the position.
          retry
        end
      end
      sleep 0.01
      buffer.close
      assert_equal [:closed] * 3, users.map(&:value)
    end
  end

  def test_a_file_that_was_made_shorter_raises
    buffer = Mmap::ByteBuffer.new(path("shrinks"), 1 << 16)
    File.truncate(path("shrinks"), 0)
    assert_raises(IOError) { buffer.get_bytes(1 << 16) }
    buffer.close
  end
end
