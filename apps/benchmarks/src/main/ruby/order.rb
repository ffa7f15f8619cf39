# frozen_string_literal: true

# Compares the orders in which a record and its metadata can get to the disk: the time of each order, and the items that are left after a
# power cut.

require_relative "bench"
require_relative "power_cut"

ITEM = ("x" * number("itemBytes")).freeze
SYNCS = number("syncs")
META_BYTES = 2048

# Runs the block SYNCS times, beginning at offset `start` of the page. The block stores and forces a record. Returns the nanoseconds per
# record.
def stored(page, meta, start)
  page.position = start
  nanos_each(SYNCS) do
    SYNCS.times { yield page, meta }
  end
end

def put_meta(page, meta)
  meta.put_int(page.position, 0)
end

page = Mmap::ByteBuffer.new(path("page"), SYNCS * ITEM.bytesize)
meta = Mmap::ByteBuffer.new(path("meta"), META_BYTES)
both = Mmap::ByteBuffer.new(path("both"), META_BYTES + (SYNCS * ITEM.bytesize))

figures = {
  "page-meta" => lambda do
    stored(page, meta, 0) do |there, place|
      there.put_bytes(ITEM)
      there.force
      put_meta(there, place)
      place.force
    end
  end,
  "meta-page" => lambda do
    stored(page, meta, 0) do |there, place|
      place.put_int(there.position + ITEM.bytesize, 0)
      place.force
      there.put_bytes(ITEM)
      there.force
    end
  end,
  "both" => lambda do
    stored(page, meta, 0) do |there, place|
      there.put_bytes(ITEM)
      put_meta(there, place)
      there.force
      place.force
    end
  end,
  # Record and metadata in one file, which is forced once. The disk may write either of them first.
  "one-file" => lambda do
    stored(both, both, META_BYTES) do |there, place|
      there.put_bytes(ITEM)
      put_meta(there, place)
      there.force
    end
  end,
  # Only the record, as in a log.
  "page" => lambda do
    stored(page, nil, 0) do |there|
      there.put_bytes(ITEM)
      there.force
    end
  end
}
warm_up { figures.each_value(&:call) }
measure(figures)
PowerCut.report(ITEM.bytesize) { |line| puts "text power cut: #{line}" }
