# shellcheck shell=bash
# shellcheck disable=SC2034,SC2016,SC2154 # shared with "run"; a format is no expansion
# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
#
# The programs. Each runs in a folder of its own with the files of "inputs" in it; what it leaves there belongs to its result.

# program NAME CLASS_PATH TITLE [-OPTION...] MAIN [ARGUMENT...]: the class path is a folder of "fetch"; MAIN may be a jar in it.
#   Standard input is empty.
# varies NAME REASON FUNCTION: two cold runs differ too; the function removes that from the file on its standard input. It gets
#   every file of the result, also standard output and error, its name as argument.
program() {
  programs+=("$1")
  class_path_of[$1]=$2
  title_of[$1]=$3
  printf -v "command_of[$1]" '%s\n' "${@:4}"
}
varies() {
  reason_of[$1]=$2
  filter_of[$1]=$3
}

# Of java.util.logging, without time stamps.
log_format='-Djava.util.logging.SimpleFormatter.format=%2$s %4$s: %5$s%n'

# ---- compilers
program ecj compilers "Eclipse compiler for Java" org.eclipse.jdt.internal.compiler.batch.Main -17 -d out Primes.java Old.java
program ecj-error compilers "Eclipse compiler, program with errors" org.eclipse.jdt.internal.compiler.batch.Main -17 -d out Broken.java
program ajc compilers "AspectJ compiler" org.aspectj.tools.ajc.Main -17 -showWeaveInfo -d out Old.java Traced.java
program janino compilers "Janino" org.codehaus.commons.compiler.samples.CompilerDemo -d out Old.java
program kotlinc compilers "Kotlin compiler" org.jetbrains.kotlin.cli.jvm.K2JVMCompiler -no-stdlib -no-reflect -cp "$jars/compilers/kotlin-stdlib-1.9.24.jar" -d out Words.kt
program scalac compilers "Scala 2.13 compiler" scala.tools.nsc.Main -usejavacp -d out Words.scala
program scala compilers "Scala 2.13 script" scala.tools.nsc.MainGenericRunner -usejavacp -nc Script.scala
program groovyc compilers "Groovy compiler" org.codehaus.groovy.tools.FileSystemCompiler -d out words.groovy
program groovy compilers "Groovy script" groovy.ui.GroovyMain words.groovy
program scala3c scala3 "Scala 3 compiler" dotty.tools.dotc.Main -usejavacp -d out three.scala

# ---- interpreters
program jruby interpreters "JRuby" org.jruby.Main words.rb
program jython interpreters "Jython" -Dpython.cachedir.skip=true org.python.util.jython words.py
program rhino interpreters "Rhino" org.mozilla.javascript.tools.shell.Main words.js
program clojure interpreters "Clojure" clojure.main words.clj
program bsh interpreters "BeanShell" bsh.Interpreter words.bsh
program luaj interpreters "LuaJ" lua words.lua
program abcl interpreters "Armed Bear Common Lisp" org.armedbear.lisp.Main --noinform --noinit --batch --load words.lisp

# ---- databases
program h2 databases "H2 RunScript" org.h2.tools.RunScript -url jdbc:h2:mem:a -script database.sql -showResults -continueOnError
program hsqldb databases "HSQLDB SqlTool" "$log_format" org.hsqldb.cmdline.SqlTool --continueOnErr=true --inlineRc=url=jdbc:hsqldb:mem:a,user=SA,password= database.sql
program derby databases "Derby ij" -Dderby.stream.error.file=derby.log -Dij.database='jdbc:derby:memory:a;create=true' org.apache.derby.tools.ij database.sql
program sqlite databases "SQLLine on SQLite" "$log_format" sqlline.SqlLine --silent=true --outputformat=csv --force=true --isolation=TRANSACTION_SERIALIZABLE -u jdbc:sqlite:a.db -n '' -p '' --run=database.sql
program lucene databases "Lucene IndexFiles" -Dtests.seed=1 org.apache.lucene.demo.IndexFiles -docs text.txt -index index

# ---- formatters and analysers
program checkstyle checkers "Checkstyle" com.puppycrawl.tools.checkstyle.Main -c /google_checks.xml Primes.java Old.java
program pmd checkers "PMD" net.sourceforge.pmd.cli.PmdCli check --no-cache --no-progress -t 0 -d Primes.java -R rules.xml -f text
program spotbugs checkers "SpotBugs" edu.umd.cs.findbugs.FindBugs2 -low primes.jar
program ktlint ktlint "ktlint" com.pinterest.ktlint.Main --log-level=error --relative Words.kt
program google-java-format formatter "google-java-format" \
  --add-exports=jdk.compiler/com.sun.tools.javac.{api,code,file,parser,tree,util}=ALL-UNNAMED com.google.googlejavaformat.java.Main Primes.java

# ---- generators
program antlr4 generators "ANTLR" org.antlr.v4.Tool -visitor -o out Expr.g4
program javacc generators "JavaCC" javacc -OUTPUT_DIRECTORY=out Calc.jj
program jflex generators "JFlex" jflex.Main -d out --nobak scanner.flex
program bnd generators "bnd" aQute.bnd.main.bnd print primes.jar
program picocli generators "picocli AutoComplete" picocli.AutoComplete -n cli -o out/completion picocli.AutoComplete\$GenerateCompletion
program xjc generators "JAXB xjc" com.sun.tools.xjc.Driver -no-header -d out types.xsd
program asm generators "ASM Textifier" org.objectweb.asm.util.Textifier classes/Primes.class

# ---- XML and documents
program saxon xml "Saxon XQuery" net.sf.saxon.Query -q:cities.xq
program saxon-xslt xml "Saxon XSLT" net.sf.saxon.Transform -s:cities.xml -xsl:cities.xsl
program xalan xml "Xalan" org.apache.xalan.xslt.Process -IN cities.xml -XSL cities.xsl -OUT out/cities.html
program fop xml "FOP" org.apache.fop.cli.Main -q -fo page.fo -at application/pdf out/page.xml
program jing xml "Jing" com.thaiopensource.relaxng.util.Driver cities.rng cities.xml
program pdfbox pdfbox "PDFBox, text to PDF" "$log_format" pdfbox-app-3.0.2.jar fromtext -i text.txt -o out/text.pdf -standardFont Courier
program tika tika "Tika" tika-app-2.9.2.jar --xml cities.xml page.fo text.txt

# ---- JavaScript and jars
program closure minifiers "Closure compiler" com.google.javascript.jscomp.CommandLineRunner -O ADVANCED --js site.js
program proguard minifiers "ProGuard" proguard.ProGuard @shrink.pro
program yui yui "YUI Compressor" yuicompressor-2.4.8.jar site.js

# ---- Hadoop
program fs-cat hadoop "Hadoop FsShell -cat" org.apache.hadoop.fs.FsShell -cat text.txt missing.txt
program fs-text hadoop "Hadoop FsShell -text" org.apache.hadoop.fs.FsShell -text cities.avro text.txt
program wordcount hadoop "Hadoop MapReduce, local" org.apache.hadoop.examples.ExampleDriver wordcount text.txt out/words
program parquet hadoop "parquet-cli" org.apache.parquet.cli.Main convert-csv cities.csv -o out/cities.parquet --schema city.avsc
program orc orc "ORC tools" orc-tools-1.9.3-uber.jar convert -o out/cities.orc cities.json
program avro avro "Avro tools" -Dlog4j.configuration=file:conf/log4j.properties avro-tools-1.11.3.jar compile schema city.avsc out

# ---- what two cold runs write differently
without_derby_boot() {
  sed -E 's/^[A-Z][a-z]{2} [A-Z][a-z]{2} [0-9 ]{2} [0-9:]{8} UTC [0-9]{4}//; s/instance [-0-9a-f]+//'
}
varies derby "time and number of the database instance in its log" without_derby_boot

without_segment_info() {
  if [[ $1 == index/*.si ]]; then return 0; fi
  sed -E 's/in [0-9]+ ms$/in some ms/'
}
varies lucene "time stamp in the segment's description, whose entries have the order of a hash with a random seed; milliseconds" without_segment_info

without_pdf_id() { LC_ALL=C sed '/^\/ID \[/d'; }
varies pdfbox "random identifier of the document" without_pdf_id
