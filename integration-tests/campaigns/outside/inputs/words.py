import sys, re, collections
from java.util import TreeMap
print >> sys.stderr, "to standard error"
words = re.findall(r"\w+", "the quick brown fox jumps over the lazy dog, the end")
print sorted(collections.Counter(words).items(), key=lambda p: (-p[1], p[0]))
m = TreeMap()
for w in words: m[w] = len(w)
print m
class Meta(type):
    def __new__(c, n, b, d): return type.__new__(c, n, b, dict(d, made_by='Meta'))
class A(object):
    __metaclass__ = Meta
print A.made_by, getattr(sys, 'hottub_seen', None)
sys.hottub_seen = 1
def gen():
    a, b = 0, 1
    while True:
        yield a
        a, b = b, a + b
print [x for x, _ in zip(gen(), range(15))]
raise SystemExit(4)
