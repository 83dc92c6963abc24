sealed trait Tree[+A]
case object Leaf extends Tree[Nothing]
case class Node[A](left: Tree[A], value: A, right: Tree[A]) extends Tree[A]

object Words {
  def insert[A](t: Tree[A], a: A)(implicit o: Ordering[A]): Tree[A] = t match {
    case Leaf => Node(Leaf, a, Leaf)
    case n @ Node(l, v, r) => if (o.lt(a, v)) n.copy(left = insert(l, a)) else n.copy(right = insert(r, a))
  }
  def walk[A](t: Tree[A]): List[A] = t match {
    case Leaf => Nil
    case Node(l, v, r) => walk(l) ::: v :: walk(r)
  }
  lazy val words = "the quick brown fox jumps over the lazy dog".split(' ').toList
  def main(args: Array[String]): Unit =
    println(walk(words.foldLeft(Leaf: Tree[String])((t, w) => insert(t, w))))
}
