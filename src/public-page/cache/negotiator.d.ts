declare module 'negotiator' {
  export default class Negotiator {
    constructor(request: { headers: import('node:http').IncomingHttpHeaders });
    /** @param options.preferred the order of those with the same weight */
    encoding(available: string[], options: { preferred: string[] }): string | undefined;
  }
}
