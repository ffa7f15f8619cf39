# The specs of a program that was written in 2015 for jruby-mmap and jruby-mmap-queues, in the style of that time. They cover nearly
# everything that these gems offered. Do not change a spec to make it pass: a call that was valid then must be valid now.

require_relative "test_helper"
require "minitest/spec"
require "jruby-mmap"
require "jruby-mmap-queues"

# Shared setup and helpers for all specs.
module SpecsOf2015
  def setup
    super
    @dir = Dir.mktmpdir("specs")
  end

  def teardown
    FileUtils.remove_entry(@dir)
    super
  end

  def file(name)
    File.join(@dir, name)
  end

  def files
    Dir.entries(@dir).reject { |name| name =~ /\A\.+\z/ }.sort
  end

  # Returns the head and the tail, each with page and offset, and the size.
  def meta(page_handler)
    meta = page_handler.meta
    [[meta.head_page_index, meta.head_page_offset], [meta.tail_page_index, meta.tail_page_offset], meta.size]
  end
end

# All ways to pass options after the other arguments.
OPTIONS_OF_2015 = {
  "a Hash in braces" => lambda { |type, *arguments| type.new(*arguments, {:page_size => 1024, :cache_size => 3}) },
  "a Hash in a variable" => lambda { |type, *arguments| options = {:page_size => 1024, :cache_size => 3}; type.new(*arguments, options) },
  "a frozen Hash" => lambda { |type, *arguments| type.new(*arguments, {:page_size => 1024}.freeze) },
  "no braces" => lambda { |type, *arguments| type.new(*arguments, :page_size => 1024, :cache_size => 3) },
  "keywords" => lambda { |type, *arguments| type.new(*arguments, page_size: 1024) },
  "a merged Hash" => lambda { |type, *arguments| type.new(*arguments, {:page_size => 1}.merge(:page_size => 1024)) },
  "an argument list" => lambda { |type, *arguments| list = arguments + [{:page_size => 1024}]; type.new(*list) },
  "what nobody knows" => lambda { |type, *arguments|
    type.new(*arguments, {:page_size => 1024, :debug => true, "page_size" => 7, nil => 1})
  },
}

describe "the options of a page handler" do
  include SpecsOf2015

  [Mmap::PageCache, Mmap::SinglePage].each do |type|
    OPTIONS_OF_2015.each do |name, make|
      it "are #{name} for #{type}" do
        page_handler = make.call(type, file("meta"))
        assert_equal 1024, page_handler.page_size
        assert_equal 1016, page_handler.page_usable_size
        page_handler.purge
      end
    end

    it "are 100 MiB for #{type} if nothing is said, or nothing that is known" do
      [[], [{}], [{:debug => true}], [{"page_size" => 1024}], [{:page_size => nil}]].each do |options|
        page_handler = type.new(file("meta"), *options)
        assert_equal 100 * 1024 * 1024, page_handler.page_size
        page_handler.purge
      end
    end

    it "leave the Hash of #{type} as it was" do
      options = {:page_size => 1024, :debug => false}
      type.new(file("meta"), options).purge
      assert_equal({:page_size => 1024, :debug => false}, options)
    end

    it "are nothing but a Hash for #{type}" do
      [1024, nil, "page_size", [[:page_size, 1024]]].each do |options|
        assert_match(/options must be a Hash/, assert_raises(TypeError) { type.new(file("meta"), options) }.message)
      end
      assert_equal [], files
    end
  end

  it "are those of a subclass" do
    small = Class.new(Mmap::PageCache) do
      def initialize(path, options = {})
        super(path, {:page_size => 64}.merge(options))
      end
    end
    page_handler = small.new(file("meta"), :cache_size => 1)
    assert_equal 64, page_handler.page_size
    page_handler.purge
  end
end

describe "the options of what has none of its own" do
  include SpecsOf2015

  it "are ignored by ByteBuffer" do
    options = {:debug => true}
    [[], [options], [{}]].each do |last|
      buffer = Mmap::ByteBuffer.new(file("buffer"), 16, *last)
      assert_equal 16, buffer.size
      buffer.close
    end
    Mmap::ByteBuffer.new(file("buffer"), 16, :debug => true).close
    assert_raises(ArgumentError) { Mmap::ByteBuffer.new(file("buffer")) }
    assert_raises(ArgumentError) { Mmap::ByteBuffer.new(file("buffer"), 16, options, options) }
    assert_raises(TypeError) { Mmap::ByteBuffer.new(file("buffer"), 16, 0) }
  end

  it "are ignored by PagedQueue" do
    options = {:debug => true}
    page_handler = Mmap::SinglePage.new(file("meta"), :page_size => 64)
    [[], [options], [{:page_size => 1}]].each { |last| assert_equal 0, Mmap::PagedQueue.new(page_handler, *last).size }
    Mmap::PagedQueue.new(page_handler, :debug => true).close
    assert_raises(TypeError) { Mmap::PagedQueue.new(page_handler, 1) }
  end
end

# Reverses the text, so that a spec can detect that the serializer was used.
class SerializerOf2015
  def serialize(data)
    data.inspect.reverse
  end

  def deserialize(data)
    Integer(data.reverse)
  end
end

describe "the options of a thread-safe queue" do
  include SpecsOf2015

  constructors = {
    Mmap::Queue => lambda { |*options| Mmap::Queue.new(*options) },
    Mmap::SizedQueue => lambda { |*options| Mmap::SizedQueue.new(3, *options) },
  }
  constructors.each do |type, make|
    it "are a Hash in braces, in a variable, or without any, for #{type}" do
      page_handler = Mmap::PageCache.new(file("other"), {:page_size => 64})
      options = {:path => file("not_used"), :page_handler => page_handler, :serializer => SerializerOf2015.new, :debug => true}
      makers = [
        lambda { make.call(options) },
        lambda { make.call({:page_handler => page_handler, :serializer => SerializerOf2015.new}) },
        lambda { make.call(options.dup.freeze) },
        lambda { make.call(*[options]) },
        lambda { make.call({:page_handler => page_handler, :serializer => SerializerOf2015.new, :cache_size => 1, "serializer" => nil}) },
      ]
      makers.each do |maker|
        queue = maker.call
        queue << 123
        assert_equal "321", File.binread(file("other.0"))[page_handler.meta.tail_page_offset + 4, 3]
        assert_equal 123, queue.pop
      end
      assert_equal %w[other other.0], files
    end

    it "are the path of #{type}, with pages of its own" do
      queue = make.call({:path => file("mine"), :page_handler => nil, :serializer => nil})
      queue.push("abc")
      assert_equal %w[mine mine.0], files
      assert_equal 100 * 1024 * 1024, File.size(file("mine.0"))
      assert_equal "abc", queue.pop
      queue.purge
      assert_equal [], files
    end

    it "are not needed by #{type}" do
      Dir.chdir(@dir) do
        queue = make.call
        queue.push("abc")
        assert_equal "abc", queue.pop
        name = type == Mmap::Queue ? "queue.dat" : "sized_queue.dat"
        assert_equal [name, "#{name}.0"], files
        queue.purge
      end
    end

    it "are nothing but a Hash for #{type}" do
      assert_raises(TypeError) { make.call(file("path")) }
      assert_equal [], files
    end
  end

  it "stand behind the size, which is positive" do
    [0, -1].each { |size| assert_raises(ArgumentError) { Mmap::SizedQueue.new(size, {:path => file("queue")}) } }
    assert_raises(ArgumentError) { Mmap::SizedQueue.new }
  end
end

describe Mmap::ByteBuffer do
  include SpecsOf2015

  before { @buffer = Mmap::ByteBuffer.new(file("buffer"), 32) }
  after { @buffer.close }

  it "should create the file" do
    assert_equal 32, File.size(file("buffer"))
    assert_equal [32, 32, 0], [@buffer.size, @buffer.limit, @buffer.position]
    @buffer.load
  end

  it "should write and read numbers at the position" do
    @buffer.put_int(1)
    assert_equal 4, @buffer.position
    @buffer.put_long(2)
    assert_equal 12, @buffer.position
    assert_equal "\0\0\0\1\0\0\0\0\0\0\0\2".b, File.binread(file("buffer"), 12)
    @buffer.position = 0
    assert_equal [1, 2], [@buffer.get_int, @buffer.get_long]
    assert_equal 12, @buffer.position
  end

  it "should write and read numbers at an index" do
    @buffer.position = 3
    @buffer.put_int(-1, 8)
    @buffer.put_long(-2, 16)
    assert_equal [-1, -2, 3], [@buffer.get_int(8), @buffer.get_long(16), @buffer.position]
  end

  it "should refuse what does not fit" do
    assert_raises(RangeError) { @buffer.put_int(2**31) }
    assert_raises(RangeError) { @buffer.put_int(-2**31 - 1, 0) }
    assert_raises(RangeError) { @buffer.put_long(2**63) }
    assert_raises(RangeError) { @buffer.put_long(-2**63 - 1, 0) }
    assert_equal 0, @buffer.position
  end

  it "should write and read bytes" do
    @buffer.put_bytes("h\u00e9")
    assert_equal 3, @buffer.position
    @buffer.put_bytes("abcdef", 2)
    @buffer.put_bytes("abcdef", 1, 2)
    @buffer.put_bytes_copy("h\u00e9")
    @buffer.put_bytes_copy("abcdef", 4)
    @buffer.put_bytes_copy("abcdef", 0, 1)
    assert_equal 15, @buffer.position
    @buffer.position = 0
    assert_equal "h\u00e9cdefbch\u00e9efa".b, @buffer.get_bytes(15)
    assert_equal 15, @buffer.position
  end

  it "should be there again" do
    @buffer.put_bytes("abc")
    @buffer.close
    @buffer = Mmap::ByteBuffer.new(file("buffer"), 32)
    assert_equal "abc", @buffer.get_bytes(3)
  end
end

describe Mmap::PagedQueue do
  include SpecsOf2015

  def open_queue
    @page_handler = Mmap::PageCache.new(file("queue"), {:page_size => 32, :cache_size => 2})
    @queue = Mmap::PagedQueue.new(@page_handler)
  end

  before { open_queue }
  after { @queue.purge }

  it "should map head and tail on creation" do
    assert_equal %w[queue queue.0], files
    assert_equal [2048, 32], [File.size(file("queue")), File.size(file("queue.0"))]
    assert_equal [[0, 0], [0, 0], 0], meta(@page_handler)
  end

  it "should return the bytes that it has pushed" do
    assert_equal 5, @queue.push("hello")
    assert_equal 5, @queue << "hello"
    assert_equal 3, @queue.push("h\u00e9")
    assert_equal 24, @queue.push("x" * 24)
    assert_equal 4, @queue.size
  end

  it "should push nothing that is empty or no string" do
    ["", nil, 1, 1.5, :hello, ["hello"], {}, Object.new, true].each do |data|
      assert_equal 0, @queue.push(data)
      assert_equal 0, @queue << data
    end
    assert_equal [[0, 0], [0, 0], 0], meta(@page_handler)
    assert_nil @queue.pop
  end

  it "should have the metadata of each step" do
    assert_equal 5, @queue.push("hello")
    assert_equal [[0, 9], [0, 0], 1], meta(@page_handler)
    assert_equal 6, @queue.push("world!")
    assert_equal [[0, 19], [0, 0], 2], meta(@page_handler)
    # 19 + 4 + 9 + 4 is more than 32.
    assert_equal 9, @queue.push("next page")
    assert_equal [[1, 13], [0, 0], 3], meta(@page_handler)
    assert_equal %w[queue queue.0 queue.1], files
    assert_equal "hello", @queue.pop
    assert_equal [[1, 13], [0, 9], 2], meta(@page_handler)
    assert_equal 6, @queue.skip
    assert_equal [[1, 13], [0, 19], 1], meta(@page_handler)
    # The tail is at the end of its page, and has not left it.
    assert_equal %w[queue queue.0 queue.1], files
    assert_equal "next page", @queue.shift
    assert_equal [[1, 13], [1, 13], 0], meta(@page_handler)
    assert_equal %w[queue queue.1], files
    assert_nil @queue.pop
    assert_equal 0, @queue.skip
    assert_equal [[1, 13], [1, 13], 0], meta(@page_handler)
    assert_equal 11, @queue.push("x" * 11) # 13 + 4 + 11 + 4 = 32
    assert_equal [[1, 28], [1, 13], 1], meta(@page_handler)
    assert_equal 1, @queue.push("y")
    assert_equal [[2, 5], [1, 13], 2], meta(@page_handler)
    @queue.clear
    assert_equal [[0, 0], [0, 0], 0], meta(@page_handler)
    assert_equal [], %w[queue queue.1 queue.2] - files
  end

  it "should have the metadata in the file" do
    @queue.push("hello")
    @queue.push("x" * 24)
    @queue.pop
    @queue.close
    bytes = File.binread(file("queue"))
    assert_equal 2048, bytes.bytesize
    assert_equal [[1, 28, 0, 9, 1].pack("q>l>q>l>l>"), "\0" * 2020], [bytes[0, 28], bytes[28..-1]]
    assert_equal [5].pack("l>") + "hello" + [0].pack("l>"), File.binread(file("queue.0"))[0, 13]
  end

  it "should refuse what is larger than a page" do
    assert_equal 24, @page_handler.page_usable_size
    error = assert_raises(Mmap::PageHandlerError) { @queue.push("x" * 25) }
    assert_kind_of StandardError, error
    assert_equal 0, @queue.size
  end

  it "should visit without removing" do
    %w[a b c].each { |data| @queue.push(data) }
    @queue.pop
    seen = []
    @queue.each { |data| seen << data }
    assert_equal %w[b c], seen
    assert_equal ["B", "C"], @queue.map { |data| data.upcase }
    assert_equal %w[b c], @queue.to_a
    assert_equal true, @queue.include?("c")
    assert_equal [2, 2, [[0, 15], [0, 5], 2]], [@queue.size, @queue.length, meta(@page_handler)]
  end

  it "should be there again" do
    %w[a b c].each { |data| @queue.push(data) }
    @queue.pop
    @queue.close
    open_queue
    assert_equal [2, "b", "c", nil], [@queue.size, @queue.pop, @queue.pop, @queue.pop]
  end

  it "should clear and keep the pages" do
    3.times { @queue.push("x" * 20) }
    @queue.clear
    assert_equal [0, [[0, 0], [0, 0], 0]], [@queue.size, meta(@page_handler)]
    assert_equal %w[queue queue.0 queue.1 queue.2], files
    assert_equal 1, @queue.push("a")
    assert_equal "a", @queue.pop
    assert_nil @queue.pop
  end

  it "should purge, also after it was closed" do
    3.times { @queue.push("x" * 20) }
    @queue.close
    assert_equal %w[queue queue.0 queue.1 queue.2], files
    @queue.purge
    assert_equal [], files
    @queue.purge
  end

  it "should be purged by its page handler, also after it was closed" do
    @queue.push("x")
    @page_handler.close
    @page_handler.purge
    assert_equal [], files
  end

  [1, 2, 5].each do |cache_size|
    it "should go through many pages with #{cache_size} of them mapped" do
      @queue.purge
      @page_handler = Mmap::PageCache.new(file("queue"), {:page_size => 32, :cache_size => cache_size})
      @queue = Mmap::PagedQueue.new(@page_handler)
      50.times { |i| assert_equal 20, @queue.push(i.to_s.rjust(20)) }
      assert_equal (0...50).to_a, @queue.map { |data| data.to_i }
      assert_equal [[49, 24], [0, 0], 50], meta(@page_handler)
      50.times do |i|
        assert_equal i, @queue.pop.to_i
        assert_equal [[49, 24], [i, 24], 49 - i], meta(@page_handler)
        assert_equal 51 - i, files.size
      end
    end
  end
end

describe Mmap::SinglePage do
  include SpecsOf2015

  # :cache_size has no effect on a single page.
  def open_queue(options = {})
    @page_handler = Mmap::SinglePage.new(file("queue"), {:page_size => 32, :cache_size => 2}.merge(options))
    @queue = Mmap::PagedQueue.new(@page_handler)
  end

  before { open_queue }
  after { @queue.purge }

  it "should go around as long as it is read" do
    100.times do |i|
      assert_equal 20, @queue.push(i.to_s.rjust(20))
      assert_equal [[i, 24], 1], meta(@page_handler).values_at(0, 2)
      assert_equal i, @queue.pop.to_i
      assert_equal [[i, 24], [i, 24], 0], meta(@page_handler)
    end
    assert_equal %w[queue queue.0], files
    assert_equal 32, File.size(file("queue.0"))
  end

  it "should go around behind the tail" do
    assert_equal 8, @queue.push("a" * 8)
    assert_equal 8, @queue.push("b" * 8)
    assert_equal [[0, 24], [0, 0], 2], meta(@page_handler)
    assert_equal "a" * 8, @queue.pop
    assert_equal [[0, 24], [0, 12], 1], meta(@page_handler)
    assert_equal 4, @queue.push("c" * 4)
    assert_equal [[1, 8], [0, 12], 2], meta(@page_handler)
    assert_equal %w[bbbbbbbb cccc], @queue.to_a
    @queue.close
    open_queue
    assert_equal "b" * 8, @queue.pop
    assert_equal [[1, 8], [0, 24], 1], meta(@page_handler)
    assert_equal 4, @queue.skip
    assert_equal [[1, 8], [1, 8], 0], meta(@page_handler)
  end

  it "should refuse to write over what was not read" do
    @queue.push("a" * 20)
    assert_raises(Mmap::PageHandlerError) { @queue.push("b" * 20) }
    assert_equal [[0, 24], [0, 0], 1], meta(@page_handler)
    assert_equal ["a" * 20], @queue.to_a
  end

  it "should write over it if it is told to" do
    @queue.close
    open_queue(:overwrite => true)
    100.times do |i|
      assert_equal 8, @queue.push(i.to_s.rjust(8))
      # Two records fit into a lap. The first record of a lap overwrites the first record of the previous lap, and its end mark overwrites a
      # part of the second.
      head = [i / 2, 12 + i % 2 * 12]
      assert_equal [head, [i / 2, 0], 1 + i % 2], meta(@page_handler)
    end
    assert_equal [98, 99], @queue.map { |data| data.to_i }
    @queue.close
    open_queue
    assert_equal [98, 99], [@queue.pop.to_i, @queue.pop.to_i]
    assert_nil @queue.pop
  end

  it "should not write over it if it is told not to" do
    [false, nil].each do |overwrite|
      @queue.purge
      open_queue(:overwrite => overwrite, "overwrite" => true)
      @queue.push("a" * 20)
      assert_raises(Mmap::PageHandlerError) { @queue.push("b" * 20) }
    end
  end
end

describe Mmap::Queue do
  include SpecsOf2015

  def open_queue
    @page_handler = Mmap::PageCache.new(file("queue"), {:page_size => 256})
    @queue = Mmap::Queue.new({:page_handler => @page_handler, :serializer => SerializerOf2015.new})
  end

  before { open_queue }
  after { @queue.purge }

  it "should be a queue" do
    assert_equal true, @queue.empty?
    assert_same @queue, @queue.push(1)
    assert_same @queue, @queue << 2 << 3 << 4
    assert_equal [4, 4, false], [@queue.size, @queue.length, @queue.empty?]
    assert_equal [1, 2, 3, 4], [@queue.pop, @queue.shift, @queue.pop(true), @queue.pop(false)]
  end

  it "should raise instead of blocking" do
    [:pop, :shift].each do |pop|
      assert_equal "queue empty", assert_raises(ThreadError) { @queue.send(pop, true) }.message
    end
  end

  it "should block until there is something" do
    consumers = 3.times.map { Thread.new { 10.times.map { @queue.pop } } }
    30.times { |i| @queue.push(i) }
    assert_equal (0...30).to_a, consumers.map { |consumer| consumer.value }.flatten.sort
  end

  it "should be there again" do
    3.times { |i| @queue << i }
    @queue.pop
    @queue.close
    open_queue
    assert_equal [2, 1, 2], [@queue.size, @queue.pop, @queue.pop]
  end

  it "should clear and purge, also after it was closed" do
    3.times { |i| @queue << i }
    @queue.clear
    assert_equal [0, true, [[0, 0], [0, 0], 0]], [@queue.size, @queue.empty?, meta(@page_handler)]
    @queue.close
    @queue.purge
    assert_equal [], files
  end
end

describe Mmap::SizedQueue do
  include SpecsOf2015

  # Counts the objects that it deserializes.
  class CountingSerializerOf2015 < SerializerOf2015
    attr_reader :count

    def deserialize(data)
      @count = @count.to_i + 1
      super
    end
  end

  def open_queue
    @serializer = CountingSerializerOf2015.new
    @page_handler = Mmap::PageCache.new(file("queue"), {:page_size => 256})
    @queue = Mmap::SizedQueue.new(3, {:page_handler => @page_handler, :serializer => @serializer})
  end

  before { open_queue }
  after { @queue.purge }

  it "should be a queue that makes nothing of what it has written" do
    @queue << 1
    @queue.push(2)
    assert_equal [2, 2, false], [@queue.size, @queue.length, @queue.empty?]
    assert_equal [1, 2], [@queue.pop, @queue.shift]
    assert_equal true, @queue.empty?
    assert_raises(ThreadError) { @queue.pop(true) }
    assert_nil @serializer.count
  end

  it "should block while it is full" do
    3.times { |i| @queue << i }
    producer = Thread.new { 7.times { |i| @queue << 3 + i } }
    Thread.pass until producer.stop?
    assert_equal 3, @queue.size
    assert_equal (0...10).to_a, 10.times.map { @queue.pop }
    producer.join
  end

  it "should load what it holds when it is opened" do
    3.times { |i| @queue << i }
    @queue.pop
    @queue.close
    open_queue
    assert_equal [2, 2], [@queue.size, @serializer.count]
    assert_equal [1, 2, 2], [@queue.pop, @queue.pop, @serializer.count]
  end

  it "should keep in memory what need not survive" do
    @queue.push(1, false)
    @queue.push(2, true)
    @queue.push(3, false)
    assert_equal [3, 1], [@queue.size, @page_handler.meta.size]
    assert_equal [1, 2, 3], [@queue.pop, @queue.pop, @queue.pop]
    @queue.push(4, false)
    @queue.close
    open_queue
    assert_equal 0, @queue.size
  end

  it "should clear and purge, also after it was closed" do
    3.times { |i| @queue << i }
    @queue.clear
    assert_equal [0, 0], [@queue.size, @page_handler.meta.size]
    @queue.close
    @queue.purge
    assert_equal [], files
  end
end
