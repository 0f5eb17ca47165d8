import { readFileSync } from 'node:fs';
import { RelaxNGValidator, XmlDocument, XmlElement, XmlValidateError } from 'libxml2-wasm';

const NAMESPACES = { atom: 'http://www.w3.org/2005/Atom', svg: 'http://www.w3.org/2000/svg' };

/** Reads an XML document with libxml2, which throws if it is not well-formed. */
function reading<Result>(xml: string, read: (root: XmlElement) => Result): Result {
  const document = XmlDocument.fromString(xml);
  try {
    return read(document.root);
  } finally {
    document.dispose();
  }
}

/** The texts of the nodes that an XPath finds in a document. */
export function textsIn(xml: string, xpath: string): string[] {
  return reading(xml, (root) => root.find(xpath, NAMESPACES).map(({ content }) => content));
}

/** The names of all elements and attributes of a document. */
export function namesIn(xml: string): { elements: Set<string>; attributes: Set<string> } {
  return reading(xml, (root) => {
    const elements = root.find('//*').filter((node) => node instanceof XmlElement);
    return {
      elements: new Set(elements.map(({ name }) => name)),
      attributes: new Set(elements.flatMap(({ attrs }) => attrs.map(({ name }) => name))),
    };
  });
}

/** What of a document is not as its schema (RELAX NG, a file in `schemas`) says. */
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
