/**
 * V8 flags for programs that open the embedded PostgreSQL. Its WebAssembly is compiled once, without optimization in
 * the background.
 * Opening it takes 1.4 s of CPU time with them, 3.1 s without.
 */
export const V8_FLAGS = ['--liftoff-only'];

/**
 * V8 flags for the workers, which load the service and its tests once: room for new objects, so that fewer survive a
 * garbage collection. `npm test` takes 271 s of CPU time with them, 296 s without (2026-11-30).
 */
export const ROOMY_HEAP = ['--min-semi-space-size=16', '--max-semi-space-size=64'];
