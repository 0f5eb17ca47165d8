declare module 'negotiator' {
  export default class Negotiator {
    constructor(request: { headers: import('node:http').IncomingHttpHeaders });
    /** @param options.preferred the order of encodings with equal weights */
    encoding(available: string[], options: { preferred: string[] }): string | undefined;
  }
}
