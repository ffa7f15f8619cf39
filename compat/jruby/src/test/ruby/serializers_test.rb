# frozen_string_literal: true

require "bigdecimal"
require_relative "test_helper"

class SerializersTest < OutcropTest
  Point = Struct.new(:x, :y)
  PLAIN = [nil, true, false, 0, -1, 1 << 40, -(1 << 62), 1.5, -0.0, "", "grün", [], {}, [1, [2, [nil]]],
           { "a" => { "b" => [1, 2.5, "c"] }, "" => nil }].freeze

  # Pushes the items, and pops them through another queue, so that they are read from the files.
  def through(serializer, *items)
    Outcrop::Queue.open(path("queue"), serializer: serializer) { |queue| items.each { |item| queue << item } }
    Outcrop::Queue.open(path("queue"), serializer: serializer) { |queue| items.map { queue.pop(true) } }
  end

  def assert_through(serializer, items)
    items.zip(through(serializer, *items)) do |item, back|
      item.nil? ? assert_nil(back) : assert_equal(item, back)
      assert_equal item.class, back.class
      assert_equal item.encoding, back.encoding if item.is_a?(String)
    end
  end

  def assert_refused(serializer, name, *items)
    Outcrop::Queue.open(path("queue"), serializer: serializer) do |queue|
      items.each { |item| assert_match(name, assert_raises(TypeError) { queue << item }.message) }
      assert_predicate queue, :empty?
    end
  end

  def test_marshal
    assert_through :marshal, PLAIN + [:symbol, Point.new(1, :y), 2**100, 1r, "\xFF".b, "ü".encode("ISO-8859-1"), 1..3]
    assert_refused :marshal, /Proc/, proc {}
    assert_refused :marshal, /IO|instance of/, $stdout
  end

  def test_json
    assert_through :json, PLAIN + [2**100]
    assert_equal [{ "a" => "b" }, "c", "é"], through(:json, { a: :b }, :c, "é".encode("ISO-8859-1"))
    assert_refused :json, /Point/, Point.new(1, 2), [[Point.new(1, 2)]], { "a" => Point.new(1, 2) }
    assert_refused :json, /Integer/, { 1 => 2 }
    assert_refused :json, /BigDecimal/, [BigDecimal("1.1")]
    assert_refused :json, /JSON/, Float::NAN, [Float::INFINITY], "\xFF"
    endless = []
    endless << endless
    Outcrop::Queue.open(path("queue"), serializer: :json) { |queue| assert_raises(ArgumentError) { queue << endless } }
  end

  def test_msgpack
    bounds = [7, 8, 15, 16, 31, 32, 63, 64, 65, 200].flat_map { |bits| [-1, 0, 1].flat_map { |d| [(1 << bits) + d, d - (1 << bits)] } }
    assert_through :msgpack, PLAIN + bounds + [:symbol, :grün, "\xFF\x00".b, { sym: 1, 2 => { nil => :x } }, [1] * 70_000,
                                               "x" * 70_000, Float::INFINITY, (0..20).to_h { |i| [i, i.to_s] }]
    assert_predicate through(:msgpack, Float::NAN).first, :nan?
    assert_equal [:é], through(:msgpack, "é".encode("ISO-8859-1").to_sym)
    assert_equal ["é", Encoding::UTF_8], through(:msgpack, "é".encode("ISO-8859-1")).flat_map { |s| [s, s.encoding] }
    assert_refused :msgpack, /Point/, Point.new(1, 2), [[Point.new(1, 2)]], { "a" => Point.new(1, 2) }, { Point.new(1, 2) => 1 }
    assert_refused :msgpack, /Rational/, 1r
    endless = []
    endless << endless
    Outcrop::Queue.open(path("queue"), serializer: :msgpack) { |queue| assert_raises(ArgumentError) { queue << endless } }
  end

  def test_msgpack_is_the_format_of_its_specification
    pack = ->(object) { Outcrop::Serializers::MessagePack.serialize(object).unpack1("H*") }
    assert_equal %w[c0 c3 2a ff a161 c40161 9101 81a16101 d40073 cb3ff8000000000000 cf8000000000000000],
                 [nil, true, 42, -1, "a", "a".b, [1], { "a" => 1 }, :s, 1.5, 1 << 63].map(&pack)
    ["", "\xc1", "\x92\x01", "\x01\x01", "\xd4\x07a", "\xdd\xff\xff\xff\xff", "\xdb\x7f\xff\xff\xff"].each do |broken|
      assert_raises(Outcrop::Error, broken.inspect) { Outcrop::Serializers::MessagePack.deserialize(broken.b) }
    end
  end

  # A custom serializer.
  module Reversing
    def self.serialize(item)
      item.reverse
    end

    def self.deserialize(string)
      raise IOError, "cannot read this" if string == "dab"

      string.reverse
    end
  end

  def test_an_object_of_ones_own
    assert_equal ["ü", "abc".b], through(Reversing, "ü", "abc".b)
    wrong = Object.new
    def wrong.serialize(_item) = 1
    def wrong.deserialize(_string) = 1
    assert_refused wrong, /Integer/, "a"
    assert_raises(ArgumentError) { Outcrop::Queue.new(path("queue"), serializer: Object.new) }
  end

  def test_what_cannot_be_read_stays
    Outcrop::Queue.open(path("queue"), serializer: Reversing) do |queue|
      queue << "bad" << "good"
      2.times { assert_raises(IOError) { queue.pop } }
      assert_raises(IOError) { queue.poll }
      assert_raises(IOError) { queue.process { flunk } }
      audit = queue.consumer("audit")
      assert_raises(IOError) { audit.poll }
      assert_equal [2, 2], [queue.size, audit.lag]
      assert queue.skip
      assert_equal "good", queue.pop
    end
  end

  def test_records_of_others_are_no_items
    queue = Java::dev.outcrop.queue.Queue.open(java.nio.file.Path.of(path("queue")))
    [[], [5], [3, 255 - 256], [255 - 256]].each { |bytes| queue.append(bytes.to_java(:byte)) }
    queue.append([120, 120, 2, 255 - 256].to_java(:byte))
    queue.close
    Outcrop::Queue.open(path("queue")) do |ours|
      5.times do
        assert_raises(Outcrop::Error) { ours.pop }
        assert ours.skip
      end
      assert_predicate ours, :empty?
    end
  end
end
