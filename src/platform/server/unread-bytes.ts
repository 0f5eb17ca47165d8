import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { unavailable } from '../problems/problem.js';
import type { AnyRequest } from './request-end.js';
import { type Holder, SharedBytes } from './shared-bytes.js';

/** Bytes of a response that the kernel has not taken yet, because the client reads slowly. */
export interface Unread {
  /** Releases bytes that the kernel has taken. */
  sent(bytes: number): void;
}

/**
 * Bounds the responses that wait in memory for their clients to read them, see {@link SharedBytes}. Each connection has one
 * response at a time.
 */
@Injectable()
export class UnreadBytes {
  /** Number of responses that were not sent, and of connections that were closed, because of the limit. */
  readonly counts = { refused: 0, closed: 0 };
  private readonly bytes = new SharedBytes();

  /** Bytes of all responses. */
  get all(): number {
    return this.bytes.all;
  }

  /**
   * Reserves memory for a large response until it is sent.
   * @throws Problem 503 `unavailable` if the key, its organization or all clients together have too many unread bytes
   */
  reserve({ actor }: AnyRequest, response: ServerResponse, bytes: number): Unread {
    if (response.closed) return { sent: () => undefined }; // no event would release the bytes
    const excess = this.bytes.excess({ actor }, bytes);
    if (excess) {
      this.counts.refused += 1;
      throw unavailable(
        `${OWNERS[excess.of]} ${excess.held} bytes of unread responses, and this response has ${bytes} bytes. Read the unread responses, then retry.`,
      );
    }
    return this.hold({ actor }, response, bytes);
  }

  /** Counts the unread rest of a response that has ended. Closes the connection if it exceeds the limit. */
  holdRest({ actor }: AnyRequest, response: ServerResponse): void {
    const { socket } = response;
    if (!socket || socket.writableLength === 0 || response.closed) return; // the usual case
    if (this.bytes.excess({ actor }, socket.writableLength)) {
      this.counts.closed += 1;
      socket.destroy();
    } else this.hold({ actor }, response, socket.writableLength);
  }

  private hold(holder: Holder, response: ServerResponse, bytes: number): Unread {
    let left = bytes;
    this.bytes.add(holder, left);
    const sent = (some: number) => {
      const released = Math.min(some, left);
      left -= released;
      this.bytes.add(holder, -released);
    };
    response.once('close', () => sent(left));
    return { sent };
  }
}

const OWNERS = {
  key: 'The API key has',
  organization: 'The organization has',
  all: 'All clients together have',
};
