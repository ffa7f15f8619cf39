# frozen_string_literal: true

require_relative "lib/outcrop/version"

Gem::Specification.new do |spec|
  spec.name = "outcrop"
  spec.version = Outcrop::VERSION
  spec.platform = "java"
  spec.summary = "Mapped buffers and persistent queues for JRuby"
  spec.description = <<~TEXT
    Queues that survive crashes and push back when they are full, and files mapped into memory, without JNI.
    Programs written for jruby-mmap and jruby-mmap-queues run on it unmodified.
  TEXT
  spec.authors = ["Outcrop"]
  spec.license = "Apache-2.0"
  spec.homepage = "https://rubygems.org/gems/outcrop"
  spec.required_ruby_version = ">= 4.0"
  spec.files = Dir["lib/**/*.{rb,jar}", "README.md", "LICENSE", "NOTICE"].sort
  spec.require_paths = ["lib"]
  spec.metadata = { "rubygems_mfa_required" => "true" }
end
