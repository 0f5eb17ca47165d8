import { SaxesParser, type SaxesAttributeNS, type SaxesTagNS } from 'saxes';
import { invalidImage } from './invalid-image.js';
import { checkReferences, type SvgElement } from './svg-references.js';
import { type SvgSize, svgSize } from './svg-size.js';

const SVG = 'http://www.w3.org/2000/svg';
const XLINK = 'http://www.w3.org/1999/xlink';
const XML = 'http://www.w3.org/XML/1998/namespace';

/** Maximum depth of nested elements, because browsers process them recursively. */
const MAX_DEPTH = 100;

/** Rejected elements in lower case, with the reason. */
const REJECTED = new Map<string, string>([
  ...['script', 'handler', 'listener'].map((name) => [name, 'scripts'] as const),
  ...['foreignobject', 'iframe', 'embed', 'object', 'audio', 'video', 'canvas'].map(
    (name) => [name, 'content of other formats'] as const,
  ),
  ...['image', 'feimage'].map((name) => [name, 'other pictures'] as const),
  ...['animate', 'animatecolor', 'animatemotion', 'animatetransform', 'set', 'discard'].map(
    (name) => [name, 'animations'] as const,
  ),
]);

/** Namespaces whose elements run or load something in a browser. */
const ACTIVE_NAMESPACES = /^http:\/\/www\.w3\.org\/(1999\/xhtml|1998\/Math\/MathML|2001\/xml-events)$/;

/** Attributes that browsers parse as CSS, and whose values can contain URLs. */
const CSS_ATTRIBUTE =
  /^(style|fill|stroke|filter|mask(-\w+)?|clip-path|marker(-\w+)?|cursor|background(-\w+)?)$/i;

/** Without `(` in the ID, because each `url(#` of thousands would otherwise be matched up to the end of the text. */
const LOCAL_URL = /url\(\s*["']?#([^"'()\s]+)["']?\s*\)/gi;

/** Rules and functions of CSS that load or animate something. */
const ACTIVE_CSS = [
  /@import|@font-face/i,
  /@(?:-\w+-)?keyframes/i,
  /(?:image-set|\bsrc)\(/i,
  /\banimation\b/i,
];

/**
 * Checks an SVG, and returns its size. Accepts only drawings: well-formed XML in UTF-8 without a DOCTYPE, scripts, event
 * handlers, animations, embedded or external content. Changes nothing.
 * @throws Problem 400 `invalid_image`
 */
export function checkSvg(bytes: Uint8Array): SvgSize {
  const text = decode(bytes);
  const parser = new SaxesParser({ xmlns: true });
  const ids = new Map<string, SvgElement>();
  const fromStyles = new Set<string>();
  const open: SvgElement[] = [];
  let root: { element: SvgElement; size: SvgSize } | undefined;
  let styles = '';

  parser.on('error', ({ message }) => {
    throw invalidImage(`The SVG is not well-formed XML: ${message}`);
  });
  parser.on('doctype', () => {
    throw invalidImage('The SVG must not have a DOCTYPE. Remove it, together with its entities.');
  });
  parser.on('processinginstruction', ({ target }) => {
    throw invalidImage(`The SVG must not contain processing instructions, such as <?${target}?>`);
  });
  parser.on('xmldecl', ({ encoding }) => {
    if (encoding !== undefined && !/^utf-?8$/i.test(encoding))
      throw invalidImage('The SVG must be in UTF-8, and its XML declaration must not name another encoding');
  });
  parser.on('opentag', (tag) => {
    if (open.length >= MAX_DEPTH)
      throw invalidImage(`The SVG must have at most ${MAX_DEPTH} levels of elements`);
    if (!root && (tag.local !== 'svg' || tag.uri !== SVG))
      throw invalidImage(`The root element must be <svg xmlns="${SVG}">`);
    const element = elementOf(tag);
    root ??= { element, size: svgSize(tag) };
    open.at(-1)?.children.push(element);
    const id = tag.attributes['id']?.value;
    if (id !== undefined && !ids.has(id)) ids.set(id, element);
    open.push(element);
  });
  parser.on('closetag', () => void open.pop());
  const addText = (content: string) => {
    if (open.at(-1)?.name === 'style') styles += content;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.write(text).close();
  if (!root) throw invalidImage('The SVG is not well-formed XML: it has no element');
  checkCss(styles, 'style');
  for (const id of localTargets(styles)) fromStyles.add(id);
  checkReferences(root.element, ids, fromStyles);
  return root.size;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalidImage('The SVG must be in UTF-8');
  }
}

/** @throws Problem 400 `invalid_image` if the element or one of its attributes is not allowed */
function elementOf({ local, uri, attributes }: SaxesTagNS): SvgElement {
  if (ACTIVE_NAMESPACES.test(uri))
    throw invalidImage(`The SVG must not contain elements of HTML, MathML or XML Events, such as <${local}>`);
  const reason = uri === SVG ? REJECTED.get(local.toLowerCase()) : undefined;
  if (reason !== undefined)
    throw invalidImage(`The SVG must not contain ${reason}: remove the ${local} element`);
  const own = Object.values(attributes);
  for (const attribute of own) checkAttribute(local, attribute);
  const refers_to = own.flatMap((attribute) => [
    ...localTargets(attribute.value),
    ...(isLink(attribute) ? [attribute.value.trim().slice(1)] : []),
  ]);
  return { name: local, children: [], refers_to };
}

function checkAttribute(element: string, attribute: SaxesAttributeNS): void {
  const { name, local, prefix, uri, value } = attribute;
  const at = `attribute ${name} of the ${element} element`;
  if (/^on/i.test(local) && prefix !== 'xmlns')
    throw invalidImage(`The SVG must not contain event handlers: remove the ${at}`);
  if (uri === XML && local === 'base')
    throw invalidImage(`The SVG must not contain external references: remove the ${at}`);
  if (isLink(attribute) && !/^#./.test(value.trim()))
    throw invalidImage(`The SVG must not contain external references: the ${at} must begin with #`);
  if (uri !== '' && uri !== SVG) return;
  checkUrls(value, at);
  if (CSS_ATTRIBUTE.test(local)) checkCss(value, at);
}

function isLink({ local, uri }: SaxesAttributeNS): boolean {
  return local.toLowerCase() === 'href' && (uri === '' || uri === XLINK);
}

/** @param at the location of the CSS, for the error */
function checkCss(css: string, at: string): void {
  const where = at === 'style' ? 'style element' : at;
  if (css.includes('\\')) throw invalidImage(`The ${where} must not contain a backslash`);
  const [rule] = ACTIVE_CSS.flatMap((pattern) => pattern.exec(css)?.[0] ?? []);
  if (rule !== undefined)
    throw invalidImage(`The ${where} must not load or animate anything: remove ${rule.replace('(', '')}`);
  checkUrls(css, where);
}

function checkUrls(value: string, at: string): void {
  if (/url\(/i.test(value.replaceAll(LOCAL_URL, '')))
    throw invalidImage(`The SVG must not contain external references: url() in the ${at} must begin with #`);
}

function localTargets(css: string): string[] {
  return [...css.matchAll(LOCAL_URL)].flatMap(([, id = '']) => id);
}
