enum Colour(val rgb: Int):
  case Red extends Colour(0xff0000)
  case Green extends Colour(0x00ff00)

extension (c: Colour) def hex: String = f"${c.rgb}%06x"
given Ordering[Colour] = Ordering.by(_.rgb)

@main def colours(): Unit = Colour.values.sorted.foreach(c => println(s"$c ${c.hex}"))
