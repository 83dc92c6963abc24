public class Broken {
  int f() { return "text"; }
  Missing g() { return null }
}
