require 'set'
class String
  def shout = upcase + '!'
end
Point = Struct.new(:x, :y) do
  def +(other) = Point.new(x + other.x, y + other.y)
end
$seen ||= Set.new
puts $seen.size
words = %w[the quick brown fox jumps over the lazy dog]
words.each { |w| $seen << w }
puts words.tally.sort_by { |w, n| [-n, w] }.inspect
puts 'open class'.shout, Point.new(1, 2) + Point.new(3, 4)
puts (1..20).lazy.select(&:even?).map { _1 ** 2 }.first(5).inspect
fiber = Fiber.new { 3.times { |i| Fiber.yield i }; :done }
4.times { puts fiber.resume.inspect }
Thread.new { puts "in a thread" }.join
at_exit { puts "at exit" }
$stderr.puts "to standard error"
exit 3
