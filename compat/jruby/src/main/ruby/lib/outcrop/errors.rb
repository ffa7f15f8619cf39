# frozen_string_literal: true

module Outcrop
  # A queue refused a call, or a call failed. The message gives the cause and the remedy.
  class Error < StandardError; end

  # A file of the queue differs from what was written. No damaged item was returned.
  class Corrupt < Error; end

  # Another process, or another object of this process, has the queue open.
  class Locked < Error; end

  # A write to the disk failed, or a thread had too little stack or memory to finish a call. The queue accepts no more items. Close the
  # queue, check the disk, and open the queue again.
  class Poisoned < Error; end
end
