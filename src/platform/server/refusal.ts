import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { PROBLEMS } from '../problems/catalogue.js';
import { problemBody, unavailable } from '../problems/problem.js';
import { DATA_HEADERS } from './response-headers.js';

// Created once, because creating an error stack takes 10 % of a rejection's time.
const PROBLEM = unavailable();
const { status: STATUS } = PROBLEMS[PROBLEM.code];
const HEADERS = [
  ...DATA_HEADERS.flat(),
  'Content-Type',
  'application/problem+json; charset=utf-8',
  ...Object.entries(PROBLEM.headers).flat(),
];

/** Responds 503 `unavailable` to a request that has not reached Express. */
export function sendRefusal(response: ServerResponse): void {
  const id = randomUUID();
  const body = JSON.stringify(problemBody(PROBLEM, id));
  const length = String(Buffer.byteLength(body));
  response.writeHead(STATUS, [...HEADERS, 'X-Request-Id', id, 'Content-Length', length]);
  response.end(body);
}
