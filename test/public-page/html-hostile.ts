/**
 * Texts that try to escape their place on the page. If one escapes, it calls `alert`, loads something from
 * `evil.example`, or breaks the surrounding text.
 */
export const HOSTILE_TEXTS = [
  '<script>alert(1)</script>',
  '</title><script>alert(1)</script>',
  '</style><script>alert(1)</script>',
  '</bdi></a></h1></main></body><script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<img src="https://evil.example/pixel.png">',
  '"onmouseover="alert(1)" autofocus onfocus="alert(1)',
  "' onfocus='alert(1)' autofocus tabindex='1",
  ']]><script>alert(1)</script>',
  '<!-- never closed',
  '--><svg onload=alert(1)><!--',
  '<![CDATA[<script>alert(1)</script>]]>',
  '<?php echo 1 ?><!DOCTYPE html><html onclick=alert(1)>',
  'javascript:alert(1)',
  '[a](javascript:alert(1)) [b](JaVaScRiPt&colon;alert(1)) [c](\u0001javascript:alert(1)) [d](java\tscript:alert(1))',
  '[a](vbscript:x) [b](file:///etc/passwd) [c](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)',
  '![a](https://evil.example/a.png) ![b](x" onerror="alert(1)) ![c](data:image/svg+xml,<svg/onload=alert(1)>)',
  '[a](https://example.com/"onmouseover="alert(1)) [b](<https://example.com/\' onclick=\'alert(1)> "t\\" onclick=\\"alert(1)")',
  '<https://example.com/"onmouseover="alert(1)> https://example.com/<script>alert(1)</script>',
  '[x][1]\n\n[1]: javascript:alert(1) "</a><script>alert(1)</script>"',
  '`<script>alert(1)',
  '```"><script>alert(1)</script>\n<script>alert(1)',
  '~~~~\n</code></pre><script>alert(1)</script>',
  '| a | b |\n|:-:|--:|\n| <script>alert(1)</script> | `|` |',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe><object data="data:text/html,x"></object>',
  '<base href="https://evil.example/"><link rel=stylesheet href="https://evil.example/x.css">',
  '<meta http-equiv="refresh" content="0;url=https://evil.example/">',
  '<form action="https://evil.example/"><input name=q autofocus onfocus=alert(1)></form>',
  '<style>*{display:none}</style><div style="position:fixed;inset:0">',
  '<details open ontoggle=alert(1)><summary>x</summary></details>',
  '<template><slot></template><plaintext>',
  '&lt;script&gt;alert(1)&lt;/script&gt; &#x3c;script&#62; &#x202e;&#8238;&#0;&#xfffe;',
  '{{7*7}} ${7*7} <%= 7*7 %> #{7*7} %3Cscript%3E',
  'controls \u0001\u0008\u000b\u000c\u001b[31m\u007f\u0085\u009f end',
  'bidi \u202egnp.exe\u202c \u2066a\u2069 \u200f\u061c end',
  'specials \ufeff\ufffe\uffff\u{1fffe} \u2028\u2029 end',
  '\u202e\u2066',
  '\u200b\u2060',
  'zalgo Z\u0351\u036b\u0343\u036a\u0302\u036b\u033d\u034f\u0334\u0319\u0324\u031e\u0349\u035a\u032f\u031e\u0320\u034d',
  '__proto__',
];

const LENGTH = 50_000;

const repeat = (text: string) => text.repeat(Math.ceil(LENGTH / text.length)).slice(0, LENGTH);

const nested = (line: string) =>
  Array.from({ length: 300 }, (_, depth) => ' '.repeat(depth * 2) + line)
    .join('\n')
    .slice(0, LENGTH);

/** Postmortems of 50,000 characters that slow down Markdown parsers or cause deep recursion. */
export const HEAVY_MARKDOWN: Record<string, string> = {
  'opening brackets': repeat('['),
  'opening images': repeat('!['),
  'unfinished links': repeat('[a](<b'),
  'nested quotes': repeat('> '),
  'lists in lists': repeat('- '),
  'lists in lists, by indentation': nested('- a'),
  'emphasis in emphasis': repeat('*_'),
  'unclosed emphasis': repeat('a **b'),
  'unclosed backticks': Array.from({ length: 310 }, (_, index) => '`'.repeat(index + 1)).join(' '),
  tables: `|a|b|\n|-|-|\n${repeat('|a')}`.slice(0, LENGTH),
  'many tables': repeat('|a|b|\n|-|-|\n'),
  'references to references': `[a]: https://b.example\n${repeat('[a]')}`.slice(0, LENGTH),
  definitions: repeat('[a]: b\n'),
  'unfinished addresses': repeat('https://a.b/('),
  'mail addresses': repeat('a@'),
  entities: repeat('&#x'),
  'unfinished HTML': repeat('<!--'),
  headings: repeat('# a\n'),
};
