import { create } from 'xmlbuilder2';

/**
 * An element in the format of xmlbuilder2: its text, or its attributes (`@name`), text (`#`) and child elements. Lists repeat
 * an element.
 */
export type XmlContent = string | XmlContent[] | { [name: string]: XmlContent };

/** Writes an XML 1.0 document in UTF-8. Its texts must be plain (`plain-text.ts`). */
export function xmlDocument(content: XmlContent): string {
  return create({ version: '1.0', encoding: 'UTF-8' }, withoutEntities(content)).end();
}

/**
 * Escapes entities in texts. xmlbuilder2 decodes `&amp;` when it reads a text, and does not escape entities when it writes it, so
 * that a text `&lt;b>` would be written as `&lt;b&gt;` and read as `<b>`, and `&x;` would not be well-formed. It writes
 * `&amp;amp;` as `&amp;`.
 */
function withoutEntities(content: XmlContent): XmlContent {
  if (typeof content === 'string') return content.replaceAll('&', '&amp;amp;');
  if (Array.isArray(content)) return content.map(withoutEntities);
  return Object.fromEntries(Object.entries(content).map(([name, one]) => [name, withoutEntities(one)]));
}
