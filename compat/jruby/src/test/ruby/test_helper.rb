# frozen_string_literal: true

# Shared setup for all tests. To run one test alone:
# java -cp CLASSPATH org.jruby.main.Main -I src/main/ruby/lib src/test/ruby/NAME_test.rb
unless $LOAD_PATH.any? { |directory| directory.include?("/minitest-") }
  # Bypasses RubyGems: JRuby bundles minitest, but not all gems that it depends on.
  bundled = "uri:classloader:/META-INF/jruby.home/lib/ruby/gems/shared/gems"
  $LOAD_PATH.unshift(Dir["#{bundled}/minitest-*/lib"].first)
end

require "fileutils"
require "java"
require "minitest"
require "tmpdir"
require "outcrop"

Minitest.autorun unless $outcrop_test_runner

# A test with its own directory.
class OutcropTest < Minitest::Test
  TestSize = Java::dev.outcrop.testsupport.TestSize
  SEED = Java::java.lang.Long.get_long("outcrop.seed", Random.rand(1 << 31))
  puts "The tests in Ruby: repeat with -Doutcrop.seed=#{SEED}"

  # Returns all elements in the nightly run, otherwise a random sample of `count` elements.
  def self.some(all, count)
    TestSize.nightly? ? all : all.sample(count, random: Random.new(SEED))
  end

  def setup
    @directory = Dir.mktmpdir("outcrop")
  end

  def teardown
    tries ||= 0
    FileUtils.remove_entry(@directory)
  rescue Errno::ENOTEMPTY, Errno::ENOENT
    # A queue that was left open, as in the README's examples, is still preparing its next file.
    raise if (tries += 1) == 100

    sleep 0.01
    retry
  end

  def path(name)
    File.join(@directory, name)
  end

  # Starts a separate JRuby process that can be killed. Returns the process, from which its output can be read.
  def start_ruby(script, *arguments)
    java = File.join(Java::java.lang.System.get_property("java.home"), "bin", "java")
    options = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED",
               "-cp", Java::java.lang.System.get_property("java.class.path")]
    # Disables RubyGems, which takes half of the startup time.
    command = [java, *options, "org.jruby.main.Main", "--disable-gems",
               "-I", File.expand_path("../../main/ruby/lib", __dir__), script, *arguments.map(&:to_s)]
    Java::java.lang.ProcessBuilder.new(command).redirect_error_stream(true).start
  end
end
