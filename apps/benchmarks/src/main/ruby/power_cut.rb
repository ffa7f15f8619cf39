# frozen_string_literal: true

# The items that a Mmap::Queue returns after a power cut that left one file of a push in its old state and another one in its new state. No
# power is cut here. The files are copied when everything is on the disk, and again after more pushes without a force. Each possible disk is
# then assembled from these copies.
module PowerCut
  BLOCK = 4096
  DIGITS = 8
  # The minimum number of items on the disk, and the number of items pushed after the force.
  FORCED = 5
  PUSHED = 10
  OVERHEAD = 4
  SMALL = 64 << 10
  # Pages of this size or more are reused after they were read.
  LARGE = 1 << 20

  # A queue before a power cut.
  class Scene
    def initialize(page_size, item_bytes)
      @item_bytes = item_bytes
      @page_size = page_size
      @path = path("cut")
      @per_page = (page_size - OVERHEAD) / (item_bytes + OVERHEAD)
      @queue = open_queue
      @pushed = 0
      @popped = 0
    end

    attr_reader :per_page

    def push(count)
      count.times do
        @queue << item(@pushed)
        @pushed += 1
      end
    end

    def pop(count)
      count.times { @queue.pop }
      @popped += count
    end

    # Forces the queue and copies its files. Then pushes more items without a force, and copies the files again.
    def cut
      @queue.force
      @forced = @pushed
      @before = files
      push(PUSHED)
      @after = files
      @queue.purge
    end

    # Returns the outcome for a disk with these pages and this metadata.
    def after(pages:, meta:)
      (@before.keys | @after.keys).each do |name|
        bytes = name == @path ? (meta ? @after : @before)[name] : page(@before[name], @after[name], pages)
        File.binwrite(name, bytes) if bytes
      end
      found
    ensure
      FileUtils.rm_f(names)
    end

    private

    def open_queue
      Mmap::Queue.new(page_handler: Mmap::PageCache.new(@path, page_size: @page_size))
    end

    # Returns an item that repeats its number from start to end, so that a torn item can be detected.
    def item(number)
      (format("%0#{DIGITS}d", number) * (@item_bytes / DIGITS)).b.freeze
    end

    def names
      Dir.children(directory).map { |name| path(name) }.select { |name| name.start_with?(@path) }
    end

    def files
      names.to_h { |name| [name, File.binread(name)] }
    end

    # Returns the bytes of a page's file; nil if the file does not exist.
    def page(before, after, kind)
      case kind
      when :old then before
      when :new then after
      when :first_block
        before ||= "\0".b * after.bytesize
        first = (0...after.bytesize).find { |at| before.getbyte(at) != after.getbyte(at) }
        return before unless first

        finish = (first / BLOCK + 1) * BLOCK
        after.byteslice(0, finish) + before.byteslice(finish, before.bytesize)
      end
    end

    def found
      queue = open_queue
      items = []
      items << queue.pop.b until queue.empty?
      queue.close
      tell(items)
    rescue StandardError => e
      "raises #{e.class}"
    end

    def tell(items)
      forced = (@popped...@forced).map { |number| item(number) }
      pushed = (@forced...@pushed).map { |number| item(number) }
      wrong = items - forced - pushed
      old = wrong.count { |bytes| bytes == item(bytes[0, DIGITS].to_i) }
      "forced #{(items & forced).size} of #{forced.size}, pushed #{(items & pushed).size} of #{pushed.size}, " \
        "torn #{wrong.size - old}, popped before #{old}"
    end
  end

  # The parts of the last pushes that got to the disk, by description.
  DISKS = {
    "the page" => { pages: :new, meta: false },
    "a block of the page" => { pages: :first_block, meta: false },
    "the metadata" => { pages: :old, meta: true },
    "the metadata and a block of the page" => { pages: :first_block, meta: true }
  }.freeze

  # The places of the records that are pushed just before the power cut.
  PLACES = {
    "a new page" => ->(bytes) { Scene.new(SMALL, bytes).tap { |scene| scene.push(FORCED) } },
    "the start of a new page" => ->(bytes) { Scene.new(SMALL, bytes).tap { |scene| scene.push(scene.per_page) } },
    "a page used again" => ->(bytes) { used_again(bytes).tap { |scene| scene.push(FORCED) } },
    "the start of a page used again" => ->(bytes) { used_again(bytes) }
  }.freeze

  # Returns a scene with two pages. The first page was read, and will be reused after the second page, which is full.
  def self.used_again(bytes)
    Scene.new(LARGE, bytes).tap do |scene|
      scene.push(scene.per_page + 1)
      scene.pop(scene.per_page + 1)
      scene.push(scene.per_page - 1)
    end
  end

  def self.report(item_bytes)
    PLACES.each do |place, scene|
      prepared = scene.call(item_bytes)
      prepared.cut
      DISKS.each { |disk, what| yield "#{place}; on the disk: #{disk}: #{prepared.after(**what)}" }
    end
  end
end
