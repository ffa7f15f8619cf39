# frozen_string_literal: true

# Loads the classes that are written in Java. During development, they are on the class path of the JVM, and this directory has no jars.
jars = File.join(__dir__, "jars")
# The pattern does not contain the directory, because the directory may have brackets in its name.
Dir.glob("*.jar", base: jars).sort.each { |jar| require File.join(jars, jar) }
JRuby::Util.load_ext("dev.outcrop.jruby.OutcropLibrary")
