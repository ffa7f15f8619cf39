# frozen_string_literal: true

# Writes and reads the files of the format by hand.
module PageFiles
  Meta = Struct.new(:head_page, :head_offset, :tail_page, :tail_offset, :size)

  def write_meta(name, head_page, head_offset, tail_page, tail_offset, size)
    bytes = [head_page, head_offset, tail_page, tail_offset, size].pack("q>l>q>l>l>")
    File.binwrite(path(name), bytes.ljust(2048, "\0"))
  end

  def read_meta(name)
    bytes = File.binread(path(name))
    assert_equal 2048, bytes.bytesize
    assert_equal "\0" * 2020, bytes[28..]
    Meta.new(*bytes.unpack("q>l>q>l>l>"))
  end

  # Writes a page with records, an end mark, and bytes after it that must not be read.
  def write_page(name, index, size, *records, rest: "\xff".b)
    bytes = page_bytes(*records)
    File.binwrite(path("#{name}.#{index}"), bytes.ljust(size, rest)[0, size])
  end

  def page_bytes(*records)
    records.map { |record| [record.bytesize].pack("l>") + record.b }.join + [0].pack("l>")
  end

  def read_page(name, index)
    File.binread(path("#{name}.#{index}"))
  end

  def files
    Dir.children(@directory).sort
  end
end
