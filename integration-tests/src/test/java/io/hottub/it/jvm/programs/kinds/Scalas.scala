// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package kinds

import java.io.{ByteArrayInputStream, ByteArrayOutputStream, ObjectInputStream, ObjectOutputStream}
import scala.collection.concurrent.TrieMap
import scala.concurrent.duration.DurationInt
import scala.concurrent.{Await, ExecutionContext, Future}
import scala.language.reflectiveCalls

/** What an application keeps in objects. */
object Registry {
  private var creations = 0
  var name: String = "initial"
  val known: TrieMap[String, Int] = TrieMap("one" -> 1)
  lazy val late: String = s"made of $name"
  lazy val fails: String = if (name == "initial") "made" else throw new IllegalStateException(name)

  def create(): Int = { creations += 1; creations }
}

object Colour extends Enumeration {
  val Red, Green = Value
  def extra(name: String): Value = Value(name)
}

class Named(val name: String)
class Other(val name: String)

case class Point(x: Int, y: Int)

/** Scala: objects, lazy values, enumerations, thread pools, call sites of its own bootstraps. */
class Scalas extends Kind {
  // Two call sites of scala.runtime.StructuralCallSite, which cache methods by class.
  private def nameOf(named: { def name: String }): String = named.name

  private def copied[A](value: A): A = {
    val bytes = new ByteArrayOutputStream
    new ObjectOutputStream(bytes).writeObject(value)
    new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray)).readObject.asInstanceOf[A]
  }

  override protected def dirty(): Unit = {
    Registry.name = "dirty"
    Registry.known.put("dirty", 2)
    Registry.late
    try Registry.fails
    catch { case _: IllegalStateException => }
    (1 to 5).foreach(_ => Registry.create())
    Colour.extra("Dirty")
    nameOf(new Named("dirty"))
    copied((x: Int) => x + Registry.create())
    scala.util.Random.setSeed(1)
    scala.Console.withOut(System.err)(Kind.KEPT.add(scala.Console.out))
    Kind.KEPT.add(Symbol("dirty"))
    Future { Thread.sleep(1000000) }(ExecutionContext.global)
    Thread.currentThread.setContextClassLoader(null)
  }

  override protected def probe(): Unit = {
    show("object", () => Registry.name)
    show("its map", () => Registry.known.toString)
    show("lazy value", () => Registry.late)
    show("failing lazy value", () => Registry.fails)
    show("counter", () => Registry.create())
    show("enumeration", () => Colour.values.toString)
    show("structural type", () => nameOf(new Named("x")) + nameOf(new Other("y")))
    show("symbol", () => Symbol("dirty") eq Symbol("dirty"))
    show("serialized function", () => copied((x: Int) => x + 1).apply(1))
    show("serialized object", () => copied(Point(1, 2)))
    show("singleton", () => copied(None) eq None)
    show(
      "thread of the pool",
      () => Await.result(Future(Thread.currentThread.getName)(ExecutionContext.global), 10.seconds)
    )
    show("console", () => scala.Console.out eq System.out)
  }
}
