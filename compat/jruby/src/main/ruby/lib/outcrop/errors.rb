# frozen_string_literal: true

module Outcrop
  # A queue refused or failed something; the message says what, and what to do about it.
  class Error < StandardError; end

  # A file of the queue is not as it was written. Nothing of what is damaged was returned.
  class Corrupt < Error; end

  # Another process has the queue open, or another object of this one.
  class Locked < Error; end

  # Writing to the disk has failed once, or a thread had no stack or memory to finish a call. Nothing more is pushed; close the queue, see
  # to the disk, and open the queue again.
  class Poisoned < Error; end
end
