%%
%class Scanner
%unicode
%standalone
%state STRING
Word = [:letter:]+
%%
<YYINITIAL> {
  {Word}   { System.out.println("word " + yytext()); }
  \"       { yybegin(STRING); }
  [^]      { }
}
<STRING> {
  \"       { yybegin(YYINITIAL); }
  [^\"]+   { System.out.println("string " + yytext()); }
}
