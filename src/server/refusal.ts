import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { PROBLEMS } from '../problems/catalogue.js';
import { problemBody, unavailable } from '../problems/problem.js';
import { DATA_HEADERS } from './response-headers.js';

/** Responds 503 `unavailable` to a request that has not reached Express. */
export function sendRefusal(response: ServerResponse): void {
  const id = randomUUID();
  const problem = unavailable();
  const body = JSON.stringify(problemBody(problem, id));
  response.writeHead(PROBLEMS[problem.code].status, [
    ...HEADERS,
    ...Object.entries(problem.headers).flat(),
    'X-Request-Id',
    id,
    'Content-Length',
    String(Buffer.byteLength(body)),
  ]);
  response.end(body);
}

const HEADERS = [...DATA_HEADERS.flat(), 'Content-Type', 'application/problem+json; charset=utf-8'];
