// The package declares the types of its CommonJS file as those of an ES module, so they do not fit its default export.
declare module 'bidi-js/dist/bidi.mjs' {
  export default function bidiFactory(): import('bidi-js').Bidi;
}
