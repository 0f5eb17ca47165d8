import { create } from 'xmlbuilder2';

/** An element as xmlbuilder2 has it: its text, or its attributes (`@name`), text (`#`) and child elements; lists repeat an element. */
export type XmlContent = string | XmlContent[] | { [name: string]: XmlContent };

/** Writes an XML 1.0 document in UTF-8. Its texts must be plain (`plain-text.ts`). */
export function xmlDocument(content: XmlContent): string {
  return create({ version: '1.0', encoding: 'UTF-8' }, withoutEntities(content)).end();
}

/**
 * xmlbuilder2 decodes `&amp;` in a text when it reads it, and leaves what looks like an entity when it writes it: without more, a text
 * `&lt;b>` is written as `&lt;b&gt;` and read as `<b>`, and `&x;` is not well-formed. Of `&amp;amp;` it makes `&amp;`.
 */
function withoutEntities(content: XmlContent): XmlContent {
  if (typeof content === 'string') return content.replaceAll('&', '&amp;amp;');
  if (Array.isArray(content)) return content.map(withoutEntities);
  return Object.fromEntries(Object.entries(content).map(([name, one]) => [name, withoutEntities(one)]));
}
