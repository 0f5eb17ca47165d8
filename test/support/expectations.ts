import { expect } from 'vitest';
import type { Answer } from './server.js';

export function expectMissingKey({ status, body, headers }: Answer): void {
  expect([status, body.code]).toEqual([401, 'missing_api_key']);
  expect(headers.get('www-authenticate')).toBe('Bearer realm="status-pages"');
}

export function expectInvalidKey({ status, body, headers }: Answer): void {
  expect([status, body.code]).toEqual([401, 'invalid_api_key']);
  expect(headers.get('www-authenticate')).toBe('Bearer realm="status-pages", error="invalid_token"');
}
