import type { PageDocument } from '../documents/page-document.js';

/** A response for one visitor. */
export interface PrivateReply {
  status: number;
  document: PageDocument;
  headers?: Record<string, string>;
}
