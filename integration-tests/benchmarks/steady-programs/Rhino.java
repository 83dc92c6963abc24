// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Script;
import org.mozilla.javascript.Scriptable;

/** A language on the JVM: JavaScript that calls, sorts, and handles objects and strings. */
public class Rhino {
  static final String SCRIPT =
      String.join(
          "\n",
          "function Node(value) { this.value = value; this.children = []; }",
          "Node.prototype.total = function () {",
          "  return this.children.reduce(function (sum, c) { return sum + c.total(); }, this.value);",
          "};",
          "function tree(depth) {",
          "  var node = new Node(depth);",
          "  for (var i = 0; i < 3 && depth > 0; i++) node.children.push(tree(depth - 1));",
          "  return node;",
          "}",
          "function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }",
          "var words = {};",
          "for (var i = 0; i < 20000; i++) {",
          "  var word = (i * 7919 % 1009).toString(16);",
          "  words[word] = (words[word] || 0) + word.length;",
          "}",
          "var last = Object.keys(words).sort(function (a, b) {",
          "  return words[a] - words[b] || (a < b ? -1 : 1);",
          "}).pop();",
          "last + ' ' + fib(20) + ' ' + tree(8).total();");

  public static void main(String[] args) throws Exception {
    Context context = Context.enter();
    Script script = context.compileString(SCRIPT, "script", 1, null);
    Steady.run(
        args,
        () -> {
          Scriptable scope = context.initStandardObjects();
          return script.exec(context, scope).toString();
        });
  }
}
