// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.io.StringReader;
import java.io.StringWriter;
import javax.xml.transform.Templates;
import javax.xml.transform.Transformer;
import javax.xml.transform.stream.StreamResult;
import javax.xml.transform.stream.StreamSource;
import org.apache.xalan.processor.TransformerFactoryImpl;

/** A stylesheet on a document: parsed, sorted and written. */
public class Xalan {
  static final String STYLE =
      "<xsl:stylesheet version='1.0' xmlns:xsl='http://www.w3.org/1999/XSL/Transform'>"
          + "<xsl:key name='of' match='city' use='@country'/>"
          + "<xsl:template match='/cities'><table><xsl:apply-templates select='city'>"
          + "<xsl:sort select='@people' data-type='number'/></xsl:apply-templates></table></xsl:template>"
          + "<xsl:template match='city[@people &gt; 5000]'><tr class='large'><xsl:call-template name='row'/></tr>"
          + "</xsl:template><xsl:template match='city'><tr><xsl:call-template name='row'/></tr></xsl:template>"
          + "<xsl:template name='row'><td><xsl:value-of select=\"concat(@country, ': ', translate(., 'abc', 'ABC'))\"/>"
          + "</td><td><xsl:value-of select=\"sum(key('of', @country)/@people)\"/></td></xsl:template>"
          + "</xsl:stylesheet>";

  public static void main(String[] args) throws Exception {
    StringBuilder text = new StringBuilder("<cities>");
    for (int i = 0; i < 2000; i++) {
      text.append(
          "<city country='c%d' people='%d'>name of %d</city>"
              .formatted(i % 97, i * 7919 % 10007, i));
    }
    String document = text.append("</cities>").toString();
    Templates templates =
        new TransformerFactoryImpl().newTemplates(new StreamSource(new StringReader(STYLE)));
    Steady.run(
        args,
        () -> {
          StringWriter result = new StringWriter();
          Transformer transformer = templates.newTransformer();
          transformer.transform(
              new StreamSource(new StringReader(document)), new StreamResult(result));
          return result.toString().hashCode();
        });
  }
}
