import { type SignedMessage, signatureHeaders } from './outbound/signature.js';
import type { WebhookFormat } from './webhook-endpoint.entity.js';

/** Returns the headers of a message. Only the format `standard` is signed. The others go to services that do not verify signatures. */
export function headersFor(
  { format, secrets }: { format: WebhookFormat; secrets: string[] },
  message: SignedMessage,
): Record<string, string> {
  return format === 'standard' ? signatureHeaders(message, secrets) : {};
}
