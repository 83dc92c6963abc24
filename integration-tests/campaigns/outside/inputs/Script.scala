val squares = (1 to 10).map(n => n -> n * n).toMap
for ((n, s) <- squares.toSeq.sorted) println(s"$n squared is $s")
println(squares.values.sum)
