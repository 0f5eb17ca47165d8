/**
 * Flags of V8 for what opens the embedded PostgreSQL: its WebAssembly is compiled once, not optimized in the background as well.
 * To open it takes 1.4 s of the processor with them, 3.1 s without.
 */
export const V8_FLAGS = ['--liftoff-only'];
