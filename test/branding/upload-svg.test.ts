import { describe, expect, it } from 'vitest';
import { expectProblem } from '../support/expectations.js';
import { useTenant, useTestServer } from '../support/server.js';
import { svg } from './pictures.js';
import { useBranding } from './use-branding.js';

const server = useTestServer({ RATE_LIMIT: '0' });
const tenant = useTenant(server);
const { get, put } = useBranding(server, tenant);

describe('PUT /v1/status-pages/{id}/branding/logo with an SVG', () => {
  it.each([
    ['pixels', svg('<g/>', 'width="120px" height="40"'), [120, 40]],
    ['points', svg('<g/>', 'width="90pt" height="30pt"'), [120, 40]],
    ['a viewBox', svg('<g/>', 'viewBox="0 0 24 12"'), [24, 12]],
    ['a relative width and a viewBox', svg('<g/>', 'width="100%" viewBox="0,0,300,100"'), [300, 100]],
    ['a width and a viewBox', svg('<g/>', 'width="60" viewBox="0 0 300 100"'), [60, 20]],
  ])('determines the size by %s', async (_name, bytes, [width, height]) => {
    const { id } = await server.page(tenant);
    expect((await put(id, 'logo', bytes)).body.data.logo).toMatchObject({ width, height });
  });

  it('accepts drawings as editors write them', async () => {
    const { id } = await server.page(tenant);
    const drawing = `\ufeff<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!-- Created with Inkscape (http://www.inkscape.org/) -->
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
  xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd"
  xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:cc="http://creativecommons.org/ns#"
  width="100mm" height="30mm" viewBox="0 0 100 30" sodipodi:docname="C:\\logo.svg">
  <metadata><rdf:RDF><cc:Work rdf:about=""><cc:license rdf:resource="http://creativecommons.org/licenses/by/4.0/"/></cc:Work></rdf:RDF></metadata>
  <sodipodi:namedview inkscape:zoom="1"/>
  <style type="text/css"><![CDATA[ .a { fill: url(#g); } .b { clip-path: url(#c); } @media (prefers-color-scheme: dark) { .a { fill: #fff } } ]]></style>
  <defs>
    <linearGradient id="g"><stop offset="0" stop-color="#f00"/></linearGradient>
    <linearGradient id="h" xlink:href="#g"/>
    <clipPath id="c"><rect width="9" height="9"/></clipPath>
    <symbol id="s"><path d="M0 0h9"/></symbol>
  </defs>
  <g class="b"><use href="#s"/><use xlink:href="#s" x="10"/><path fill="url('#h')" style="filter:none" d="M0 0h9v9z"/></g>
  <text>R&amp;D &#169;</text>
</svg>`;
    const { status, text } = await put(id, 'logo', drawing);
    expect([status, text]).toEqual([200, text]);
  });

  const use = (id: string, target: string) => `<g id="${id}">${`<use href="#${target}"/>`.repeat(10)}</g>`;
  const LEVELS = Array.from({ length: 9 }, (_, level) => use(`l${level}`, `l${level + 1}`)).join('');
  const styled = Array.from(
    { length: 6 },
    (_, level) => `<pattern id="p${level}">${`<g class="c${level + 1}"/>`.repeat(10)}</pattern>`,
  ).join('');
  const STYLES = Array.from({ length: 6 }, (_, level) => `.c${level}{fill:url(#p${level})}`).join('');

  it.each([
    ['a script', svg('<script>alert(1)</script>'), 'script'],
    ['a script with a prefix', svg('<s:script xmlns:s="http://www.w3.org/2000/svg"/>'), 'script'],
    ['a script of HTML', svg('<h:script xmlns:h="http://www.w3.org/1999/xhtml"/>'), 'HTML'],
    ['a foreignObject', svg('<foreignObject><b/></foreignObject>'), 'foreignObject'],
    ['an event handler', svg('<g onload="alert(1)"/>'), 'onload'],
    ['an event handler of the root', svg('', 'onload="x" width="9" height="9"'), 'onload'],
    ['an event handler in upper case', svg('<g ONCLICK="x"/>'), 'ONCLICK'],
    ['a link', svg('<a href="https://evil.example"><g/></a>'), 'href'],
    ['a javascript: link', svg('<a href=" javascript:alert(1)"><g/></a>'), 'href'],
    ['an external use', svg('<use href="https://evil.example/a.svg#b"/>'), 'href'],
    [
      'an xlink with another prefix',
      svg('<use xmlns:x="http://www.w3.org/1999/xlink" x:href="b.svg#c"/>'),
      'x:href',
    ],
    ['an image', svg('<image href="data:image/png;base64,AA=="/>'), 'image'],
    ['a feImage', svg('<filter><feImage href="#a"/></filter>'), 'feImage'],
    ['an external fill', svg('<g fill="url(https://evil.example/#a)"/>'), 'fill'],
    ['an external style', svg('<g style="fill:URL( \'//evil.example\' )"/>'), 'style'],
    ['an escaped URL', svg('<g style="fill:u\\72l(//evil.example)"/>'), 'backslash'],
    ['an import', svg('<style>@import "https://evil.example/a.css";</style>'), '@import'],
    ['an import in CDATA', svg('<style><![CDATA[@import "a.css";]]></style>'), '@import'],
    ['an import with a character reference', svg('<style>&#64;import "a.css";</style>'), '@import'],
    ['a font', svg('<style>@font-face{src:url(#a)}</style>'), '@font-face'],
    ['an image-set', svg('<style>g{mask:image-set("a.png" 1x)}</style>'), 'image-set'],
    ['an animation', svg('<rect><animate attributeName="x" to="9"/></rect>'), 'animate'],
    ['a set of href', svg('<a><set attributeName="href" to="javascript:alert(1)"/></a>'), 'set'],
    ['an animation in CSS', svg('<style>@keyframes a{to{x:9}}</style>'), '@keyframes'],
    ['xml:base', svg('<g xml:base="https://evil.example/"/>'), 'xml:base'],
    ['a DOCTYPE', Buffer.concat([Buffer.from('<!DOCTYPE svg>'), svg('<g/>')]), 'DOCTYPE'],
    [
      'entities',
      Buffer.from(
        '<!DOCTYPE svg [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;">]><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">&b;</svg>',
      ),
      'DOCTYPE',
    ],
    ['an undefined entity', svg('&nbsp;'), 'well-formed'],
    [
      'a style sheet instruction',
      Buffer.concat([Buffer.from('<?xml-stylesheet href="a.css"?>'), svg('')]),
      'xml-stylesheet',
    ],
    [
      'an open element',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><g>'),
      'well-formed',
    ],
    ['two roots', Buffer.concat([svg(''), svg('')]), 'well-formed'],
    ['an unbound prefix', svg('<use xlink:href="#a"/>'), 'well-formed'],
    ['a repeated attribute', svg('<g id="a" id="b"/>'), 'well-formed'],
    ['no namespace', Buffer.from('<svg width="9" height="9"/>'), 'xmlns'],
    ['another root', Buffer.from('<g xmlns="http://www.w3.org/2000/svg"/>'), 'root'],
    ['only a comment', Buffer.from('<!-- svg -->'), 'well-formed'],
    ['no size', svg('<g/>', ''), 'size'],
    ['a relative size', svg('<g/>', 'width="100%" height="50%"'), 'size'],
    ['a size of zero', svg('<g/>', 'width="0" height="9"'), 'size'],
    ['a huge size', svg('<g/>', 'width="9999" height="9"'), '4096'],
    [
      'Latin-1',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">\xe9</svg>', 'latin1'),
      'UTF-8',
    ],
    [
      'another encoding',
      Buffer.concat([Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?>'), svg('')]),
      'encoding',
    ],
    ['nested references that multiply', svg(`${LEVELS}<g id="l9"/>`), 'at most 50000'],
    ['nested patterns that multiply', svg(`<style>${STYLES}</style>${styled}`), 'at most 50000'],
    ['references in a circle', svg('<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>'), 'circle'],
    ['deep nesting', svg('<g>'.repeat(101) + '</g>'.repeat(101)), 'levels'],
  ])('rejects %s and names it', async (_name, bytes, named) => {
    const { id } = await server.page(tenant);
    const answer = await put(id, 'logo', bytes);
    expectProblem(answer, 400, 'invalid_image');
    expect(answer.body.detail).toContain(named);
    expect((await get(id)).body.data.logo).toBeNull();
  });
});
