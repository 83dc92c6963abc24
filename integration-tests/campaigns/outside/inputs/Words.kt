sealed class Shape { abstract val area: Double }
data class Circle(val r: Double) : Shape() { override val area get() = Math.PI * r * r }
data class Square(val a: Double) : Shape() { override val area get() = a * a }

inline fun <reified T : Shape> List<Shape>.only(): List<T> = filterIsInstance<T>()

fun main() {
    val shapes = listOf(Circle(1.0), Square(2.0), Circle(3.0))
    println(shapes.only<Circle>().sumOf { it.area })
    val unused = 1
    for ((i, s) in shapes.withIndex()) println("$i: $s")
}
