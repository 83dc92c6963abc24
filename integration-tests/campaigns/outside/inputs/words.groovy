import groovy.transform.Immutable

@Immutable class Word { String text; int count }

def words = 'the quick brown fox jumps over the lazy dog the end'.split(' ')
def counted = words.countBy { it }.collect { k, v -> new Word(k, v) }.sort { a, b -> b.count <=> a.count ?: a.text <=> b.text }
counted.each { println "${it.text.padRight(8)}${it.count}" }
String.metaClass.shout = { -> delegate.toUpperCase() + '!' }
println 'metaclass'.shout()
Integer.metaClass.getDoubled = { -> delegate * 2 }
println 21.doubled
println new XmlParserLike().toString()
class XmlParserLike { def methodMissing(String name, args) { "$name(${args.join(',')})" }; String toString() { fly(1, 2) } }
println counted.groupBy { it.count }.collectEntries { k, v -> [k, v*.text] }
