import { setFlagsFromString } from 'node:v8';

/**
 * V8's settings for this service; imported first, before anything is compiled. A version of Node.js that lacks one starts
 * without it. What each gains is in docs/performance.md.
 */
setFlagsFromString('--no-allocation-site-pretenuring');
setFlagsFromString('--heap-growing-percent=20');
