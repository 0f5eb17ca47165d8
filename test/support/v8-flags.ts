/**
 * V8 flags for programs that open the embedded PostgreSQL. Its WebAssembly is compiled once, without optimization in
 * the background.
 * Opening it takes 1.4 s of CPU time with them, 3.1 s without.
 */
export const V8_FLAGS = ['--liftoff-only'];
