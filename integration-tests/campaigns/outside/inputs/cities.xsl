<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:c="urn:cities" exclude-result-prefixes="c">
  <xsl:output method="html" indent="yes" encoding="UTF-8"/>
  <xsl:key name="size" match="c:city" use="@size"/>
  <xsl:template match="/"><table><xsl:for-each select="key('size', 'BIG')"><xsl:sort select="c:people" data-type="number"/>
    <tr><td><xsl:value-of select="c:name"/></td><td><xsl:value-of select="format-number(c:people, '#,##0')"/></td></tr></xsl:for-each></table></xsl:template>
</xsl:stylesheet>
