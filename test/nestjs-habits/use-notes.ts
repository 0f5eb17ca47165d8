import { beforeAll } from 'vitest';
import { type Answer, type Ask, type TestServer, useTestServer } from '../support/server.js';
import { AppWithNotesModule, CREATE_NOTES } from './notes.module.js';

export const ID = '018cc251-f400-7000-8000-0000000000AB';

/** A separate server with the notes, and requests to them. */
export function useNotes(): {
  server: TestServer;
  ask: (path: string, options?: Ask) => Promise<Answer<{ data: unknown }>>;
  post: (path: string, json: unknown) => Promise<Answer<{ data: unknown }>>;
} {
  const server = useTestServer({}, AppWithNotesModule);
  beforeAll(() => server.sql(CREATE_NOTES));

  /** The notes are not documented like the API. */
  const ask = (path: string, options: Ask = {}): Promise<Answer<{ data: unknown }>> =>
    server.ask<{ data: unknown }>(`/v1/notes${path}`, { ...options, undocumented: true });

  const post = (path: string, json: unknown) => ask(path, { method: 'POST', json });

  return { server, ask, post };
}
