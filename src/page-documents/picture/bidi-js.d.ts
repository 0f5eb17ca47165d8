// The package declares the types of an ES module for its CommonJS file, so the types do not fit its default export.
declare module 'bidi-js/dist/bidi.mjs' {
  export default function bidiFactory(): import('bidi-js').Bidi;
}
