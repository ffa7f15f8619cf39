# frozen_string_literal: true

# Lets Java run the test files one after the other in one JRuby.
$outcrop_test_runner = true
require_relative "test_helper"

# Returns whether all tests of the file pass. Prints the failures.
def run_test_file(file)
  Minitest::Runnable.reset
  load(file)
  raise "There is no test in #{file}" if Minitest::Runnable.runnables.all? { |tests| tests.public_instance_methods.grep(/\Atest_/).empty? }

  Minitest.run(["--verbose"])
end
