// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.util.Random;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.queryparser.classic.QueryParser;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.ByteBuffersDirectory;

/** A search engine: indexes texts, and searches them. */
public class Lucene {
  public static void main(String[] args) throws Exception {
    String[] texts = new String[1000];
    Random random = new Random(1);
    for (int i = 0; i < texts.length; i++) {
      StringBuilder text = new StringBuilder();
      for (int word = 0; word < 100; word++) {
        text.append(word(random)).append(' ');
      }
      texts[i] = text.toString();
    }
    Steady.run(args, () -> indexAndSearch(texts));
  }

  /** Some words are frequent. */
  static String word(Random random) {
    return Integer.toString((int) Math.abs(random.nextGaussian() * 40_000) + 1_000_000, 36);
  }

  static long indexAndSearch(String[] texts) throws Exception {
    StandardAnalyzer analyzer = new StandardAnalyzer();
    try (ByteBuffersDirectory directory = new ByteBuffersDirectory()) {
      try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig(analyzer))) {
        for (String text : texts) {
          Document document = new Document();
          document.add(new TextField("text", text, Field.Store.YES));
          writer.addDocument(document);
        }
      }
      long sum = 0;
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        IndexSearcher searcher = new IndexSearcher(reader);
        QueryParser parser = new QueryParser("text", analyzer);
        Random random = new Random(2);
        for (int i = 0; i < 1000; i++) {
          String query =
              word(random)
                  + " OR \""
                  + word(random)
                  + " "
                  + word(random)
                  + "\" OR "
                  + word(random).substring(0, 3)
                  + "*";
          TopDocs found = searcher.search(parser.parse(query), 10);
          sum = sum * 31 + found.totalHits.value;
        }
      }
      return sum;
    }
  }
}
