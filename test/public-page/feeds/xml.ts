import { readFileSync } from 'node:fs';
import { RelaxNGValidator, XmlDocument, XmlElement, XmlValidateError } from 'libxml2-wasm';

const NAMESPACES = { atom: 'http://www.w3.org/2005/Atom', svg: 'http://www.w3.org/2000/svg' };

/** Parses an XML document with libxml2. Throws if it is not well-formed. */
function reading<Result>(xml: string, read: (root: XmlElement) => Result): Result {
  const document = XmlDocument.fromString(xml);
  try {
    return read(document.root);
  } finally {
    document.dispose();
  }
}

/** Returns the texts of the nodes that match an XPath. */
export function textsIn(xml: string, xpath: string): string[] {
  return reading(xml, (root) => root.find(xpath, NAMESPACES).map(({ content }) => content));
}

/** Returns the names of all elements and attributes of a document. */
export function namesIn(xml: string): { elements: Set<string>; attributes: Set<string> } {
  return reading(xml, (root) => {
    const elements = root.find('//*').filter((node) => node instanceof XmlElement);
    return {
      elements: new Set(elements.map(({ name }) => name)),
      attributes: new Set(elements.flatMap(({ attrs }) => attrs.map(({ name }) => name))),
    };
  });
}

/** Returns the schema errors of a document (RELAX NG, a file in `schemas`). */
export function faultsIn(xml: string, schema: string): string[] {
  const grammar = XmlDocument.fromString(readFileSync(new URL(`schemas/${schema}`, import.meta.url), 'utf8'));
  const validator = RelaxNGValidator.fromDoc(grammar);
  const document = XmlDocument.fromString(xml);
  try {
    validator.validate(document);
    return [];
  } catch (error) {
    if (!(error instanceof XmlValidateError)) throw error;
    return error.details.map(({ message }) => message);
  } finally {
    document.dispose();
    validator.dispose();
    grammar.dispose();
  }
}
