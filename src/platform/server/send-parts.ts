import type { ServerResponse } from 'node:http';
import { pieces } from '@status-pages/fair-admission';
import type { Unread } from './unread-bytes.js';

/** Maximum number of bytes per write to a socket. Copying them to the kernel takes about 0.2 ms. */
const PIECE_BYTES = 256 * 1024;

/**
 * Sends a body in pieces. Each piece is sent after the kernel has taken the previous one, in its own iteration of the event
 * loop.
 */
export function sendParts(response: ServerResponse, parts: Buffer[], unread: Unread): void {
  const left = parts.toReversed();
  const send = () => {
    if (response.destroyed) return;
    let bytes = 0;
    const piece: Buffer[] = [];
    for (let part = left.pop(); part; part = bytes < PIECE_BYTES ? left.pop() : undefined) {
      bytes += part.length;
      piece.push(part);
    }
    // Not at `drain`, because Node.js emits it only if more bytes are buffered than the limit, and the last piece can be short.
    const taken = () => {
      unread.sent(bytes);
      if (left.length > 0) pieces.run(send);
      else response.end();
    };
    response.cork();
    for (const [index, part] of piece.entries())
      response.write(part, index === piece.length - 1 ? taken : undefined);
    response.uncork();
  };
  send();
}
