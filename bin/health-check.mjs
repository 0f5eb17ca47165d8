// Exits with 0 if the server of this container returns 200: `node bin/health-check.mjs [path]`, by default /health/ready.
const [path = '/health/ready'] = process.argv.slice(2);
const { HOST = '0.0.0.0', PORT = '3000' } = process.env;
/** The server may listen on all addresses, but a connection needs one. */
const host = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[HOST] ?? HOST;

try {
  const { ok } = await fetch(`http://${host}:${PORT}${path}`, { signal: AbortSignal.timeout(4_000) });
  process.exitCode = ok ? 0 : 1;
} catch {
  process.exitCode = 1; // no connection, or no response in time
}
