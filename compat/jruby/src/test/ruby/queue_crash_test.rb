# frozen_string_literal: true

require_relative "test_helper"

# Kills processes with kill -9.
class QueueCrashTest < OutcropTest
  # Works, by name: the kind of work, and the details.
  WORKS = {
    "pushed_durably" => %w[push every_push Queue],
    "pushed_with_group_commit" => %w[push group_commit Queue],
    "pushed_into_a_sized_queue" => %w[push page_cache SizedQueue],
    "taken_by_ack" => %w[take Queue ack],
    "taken_by_pop" => %w[take SizedQueue pop],
    "processed" => %w[process]
  }.freeze
  # The fewest lines that a work prints before the kill. SYNCS is for the work that syncs every push.
  LINES = TestSize.choose("outcrop.crash.lines", 500, 6000)
  SYNCS = TestSize.choose("outcrop.crash.syncs", 60, 300)

  # One process for all works, because a JRuby process takes long to start.
  def test_works_in_one_process_that_is_killed
    look(WORKS)
  end

  if TestSize.nightly?
    WORKS.each_key { |name| define_method("test_what_was_#{name}_is_there") { look(WORKS.slice(name)) } }
  end

  def look(works)
    Outcrop::Queue.open(path("processed")) { |queue| %w[first stop last].each { |item| queue << item } }
    said = run_and_kill(works)
    works.each { |name, (what, _, how)| send("look_at_#{what}", name, said.fetch(name), how) }
  end

  # Returns the printed lines of each work, by name.
  def run_and_kill(works)
    process = start_ruby(File.join(__dir__, "queue_crash_child.rb"), *works.map { |name, work| [path(name), *work].join(" ") })
    output = java.io.BufferedReader.new(java.io.InputStreamReader.new(process.input_stream))
    said = works.keys.to_h { |name| [name, []] }
    until said.all? { |name, lines| enough?(name, lines) }
      line = output.read_line or flunk("It has ended")
      add(said, line)
    end
    assert_raises(Outcrop::Locked) { Outcrop::Queue.new(path(works.keys.last)) }
    # Does not call destroy_forcibly on the process itself, which would also close the output.
    process.to_handle.destroy_forcibly
    while (line = output.read_line)
      add(said, line)
    end
    said
  end

  def enough?(name, lines)
    case name
    when "processed" then lines.last == "stop"
    when "pushed_durably" then lines.size >= SYNCS
    else lines.size >= LINES
    end
  end

  def add(said, line)
    name, rest = line.split(" ", 2)
    # Any other output explains why the process has ended.
    said.key?(name) ? said[name] << rest : puts(line)
  end

  def expected(number, longest = 3000)
    "#{number}:#{(number % 256).chr * (number % longest)}".b
  end

  # Returns how many places in the log a killed thread had taken and not filled, although the other thread had filled the next place.
  def withdrawn_by_recovery(name)
    Outcrop::Queue.open(path(name)) { |queue| queue.size }
    check = Java::dev.outcrop.queue.QueueFiles.verify(Java::java.nio.file.Path.of(path(name)))
    assert_empty check.damages.to_a
    check.segments.sum(&:withdrawn)
  end

  def look_at_push(name, said, _)
    acknowledged = said.map { |line| Integer(line) }
    withdrawn = withdrawn_by_recovery(name)
    queue = Outcrop::Queue.new(path(name))
    size = queue.size
    found = []
    while (item = queue.pop(timeout: 0))
      number = item[/\A\d+/].to_i
      assert_equal expected(number), item.b
      found << number
    end
    assert_equal size, found.size + withdrawn
    assert_equal 0, queue.size
    assert_equal found.uniq, found
    assert_empty acknowledged - found
    found.partition(&:even?).each { |of_one_thread| assert_equal of_one_thread.sort, of_one_thread }
  ensure
    queue&.shutdown
  end

  # The item "stop" is delivered again.
  def look_at_process(name, said, _)
    assert_includes said, "first"
    Outcrop::Queue.open(path(name)) { |queue| assert_equal %w[stop last], [queue.pop, queue.pop] }
  end

  def look_at_take(name, said, how)
    pushed, done, taken = %w[pushed done taken].map { |what| said.grep(/\A#{what} \d+\z/).map { |each| each[/\d+/].to_i } }
    left = Outcrop::Queue.open(path(name)) do |queue|
      pop_all(queue, false).map do |item|
        assert_equal expected(item.to_i, 100_000), item.b
        item.to_i
      end
    end
    assert_equal done.uniq, done
    assert_equal left.uniq.sort, left
    assert_empty left & done
    # Each of the two threads may have been killed before it could print its last step.
    unsaid = pushed - done - left
    assert_operator unsaid.size, :<=, 2
    assert_empty unsaid - taken if how == "ack"
    assert_operator (left - pushed).size, :<=, 1
  end

  # --- States that a kill leaves, made by hand: a copy of the files of an open queue equals the files after a kill at that moment ---

  # Returns the positions of the records in a segment file.
  def records(bytes)
    places = []
    at = 64
    while at + 24 <= bytes.bytesize
      word = bytes[at, 8].unpack1("Q<")
      break if word[31].zero? || bytes[at + 12, 4].unpack1("l<") != 1

      places << at
      at += (24 + (word & 0x7fffffff) + 7) & -8
    end
    places
  end

  # Returns the offset of a segment's first record.
  def base(segment)
    File.binread(segment, 8, 24).unpack1("Q<")
  end

  # Removes random records, as if their threads had been killed between taking a place and filling it. The records before `first` and the
  # last record stay.
  def take_away(directory, random, first)
    taken = []
    segments = Dir[File.join(directory, "*.segment")].select { |file| File.binread(file, 8) == "OUTCROPS" }
    last = segments.max_by { |file| records(File.binread(file)).empty? ? -1 : base(file) }
    segments.each do |file|
      bytes = File.binread(file)
      places = records(bytes)
      places.each_with_index do |at, i|
        number = base(file) + i
        next if number < first || (file == last && i == places.size - 1) || random.rand >= 0.1

        bytes[at, 8] = "\0" * 8
        taken << number
      end
      File.binwrite(file, bytes)
    end
    taken
  end

  def copy(from, to)
    FileUtils.cp_r(from, to)
  rescue Errno::ENOENT
    # In the meantime, the queue has renamed a file that it had prepared.
    FileUtils.remove_entry(to)
    retry
  end

  def pop_all(queue, until_empty)
    found = []
    if until_empty
      found << queue.pop(true) until queue.empty?
    else
      while (item = queue.pop(timeout: 0))
        found << item
      end
    end
    found
  end

  def test_every_item_behind_a_place_that_was_withdrawn_is_found
    random = Random.new(SEED)
    TestSize.choose("outcrop.crash.rounds", 2, 50).times do |round|
      live = path("live#{round}")
      options = { path: live, segment_size: [1 << 16, 1 << 22].sample(random: random) }
      longest = [0, 100, 3000].sample(random: random)
      items = Array.new([1, 2, 50, 300, 1500].sample(random: random)) { |i| "#{i}:#{'x' * random.rand(longest + 1)}" }
      # The items that were in the queue when it was closed are on the disk.
      older = random.rand(2) * random.rand(items.size)
      popped = random.rand(older + 1)
      Outcrop::Queue.open(**options) do |queue|
        items.take(older).each { |item| queue << item }
        popped.times { queue.pop }
      end
      Outcrop::Queue.open(**options) do |queue|
        items.drop(older).each { |item| queue << item }
        copy(live, path("killed"))
      end
      taken = take_away(path("killed"), random, older)
      expected = items.drop(popped) - items.values_at(*taken)
      [nil, 1, 10, 5000].each do |max|
        until_empty = random.rand(2) == 1
        FileUtils.cp_r(path("killed"), path("copy"))
        queue = max ? Outcrop::SizedQueue.new(max, path("copy")) : Outcrop::Queue.new(path("copy"))
        message = "round #{round}, #{queue.class} of #{max.inspect}, #{taken.size} of #{items.size} withdrawn"
        assert_operator queue.size, :>=, expected.size, message
        found = pop_all(queue, until_empty)
        assert_equal [[], []], [expected - found, found - expected], message
        assert_equal expected, found, message
        assert_equal [0, true, nil], [queue.size, queue.empty?, queue.pop(timeout: 0)], message
        queue << "more"
        assert_equal "more", queue.pop(true), message
        queue.purge
      end
      FileUtils.remove_entry(path("killed"))
      FileUtils.remove_entry(live)
    end
  end

  def test_a_queue_with_nothing_but_withdrawn_records_is_empty
    files = Java::java.nio.file.Path.of(path("queue"))
    queue = Java::dev.outcrop.queue.Queue.open(files, Java::dev.outcrop.queue.QueueOptions.new)
    assert_raises(KeyError) { queue.append(8) { |_| raise KeyError } }
    queue.close
    [-> { Outcrop::Queue.new(path("queue")) }, -> { Outcrop::SizedQueue.new(2, path("queue")) }].each do |open|
      again = open.call
      assert_equal [0, true], [again.size, again.empty?]
      again.shutdown
    end
  end

  def test_nobody_looks_again_and_again_into_a_queue_that_was_emptied_before
    Outcrop::Queue.open(path("queue")) do |queue|
      100.times { |i| queue << i.to_s }
      100.times { queue.pop }
    end
    Outcrop::Queue.open(path("queue")) do |queue|
      waiting = Thread.new { queue.pop }
      Thread.pass until queue.num_waiting == 1
      native = JRuby.reference(waiting).native_thread
      threads = Java::java.lang.management.ManagementFactory.thread_mx_bean
      looks = -> { threads.get_thread_info(native.get_id).waited_count }
      before = looks.call
      sleep(0.3)
      assert_operator looks.call - before, :<, 100
      queue << "item"
      assert_equal "item", waiting.value
    end
  end
end
