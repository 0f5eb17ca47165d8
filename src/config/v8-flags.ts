import { setFlagsFromString } from 'node:v8';

/**
 * Sets V8 up for this service; call it first. A version of Node.js that lacks a flag prints so, and starts without it. What
 * each gains is in docs/performance.md.
 */
export function setV8Flags(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
  setFlagsFromString('--heap-growing-percent=20');
}
