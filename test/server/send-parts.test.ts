import type { Server } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { sendParts } from '../../src/platform/server/send-parts.js';
import { bareServer } from '../support/bare-server.js';

let server: Server | undefined;

afterEach(() => server?.close());

/** A server that sends parts of the given lengths. `sent` counts the bytes handed to the kernel. */
async function serverOf(lengths: number[], sent: (bytes: number) => void): Promise<string> {
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const parts = lengths.map((length, index) => Buffer.alloc(length, `${index}`));
  const bare = await bareServer((_, response) => {
    response.setHeader('Content-Length', total);
    sendParts(response, parts, { sent });
  });
  server = bare.server;
  return bare.url;
}

describe('response in parts', () => {
  it.each([
    ['a short last part after a full piece', [300_000, 1]],
    ['many short parts', Array.from({ length: 1_000 }, () => 1_001)],
    ['one short part', [3]],
    ['long parts', [1_000_000, 1_000_000]],
    ['empty parts', [0, 300_000, 0]],
    ['no bytes', [0]],
  ])('arrives complete: %s', { timeout: 5_000 }, async (_, lengths) => {
    let released = 0;
    const url = await serverOf(lengths, (bytes) => (released += bytes));
    const body = await (await fetch(url)).text();
    expect(body).toBe(lengths.map((length, index) => `${index}`.repeat(length).slice(0, length)).join(''));
    expect(released).toBe(body.length);
  });
});
