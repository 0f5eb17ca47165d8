/** Codes of JSON-RPC 2.0, section 5.1. */
const INVALID_REQUEST = -32_600;
const INVALID_PARAMS = -32_602;

/** A schema of the SDK, by Zod. */
interface Schema {
  safeParse(value: unknown): {
    success: boolean;
    error?: { issues: { path: PropertyKey[]; message: string }[] };
  };
}

/** Schemas of the SDK: of each message, and of the requests with parameters, by their methods. */
export interface MessageSchemas {
  message: Schema;
  requests: Readonly<Record<string, Schema>>;
}

/**
 * Rejects a message for which the SDK would return a wrong code, or the text of its validator. Returns undefined for others, and
 * for text that is not JSON, which the SDK rejects.
 */
export function rejectionOf(body: Uint8Array, { message, requests }: MessageSchemas): Response | undefined {
  const sent = parsed(body);
  if (sent === undefined) return undefined;
  // A POST has a single message since MCP 2025-06-18. A batch would also be many requests in one for the rate limit.
  if (Array.isArray(sent)) return errorResponse(400, INVALID_REQUEST, BATCH);
  if (!message.safeParse(sent).success) return errorResponse(400, INVALID_REQUEST, NO_MESSAGE);
  const { id, method }: { id?: unknown; method?: unknown } = Object(sent);
  const schema = typeof method === 'string' && Object.hasOwn(requests, method) ? requests[method] : undefined;
  const [issue] = schema?.safeParse(sent).error?.issues ?? [];
  if (!issue) return undefined;
  return errorResponse(200, INVALID_PARAMS, `Invalid params: ${issue.path.join('.')}: ${issue.message}`, id);
}

const BATCH = 'Invalid Request: send one message per POST, not a batch';
const NO_MESSAGE =
  'Invalid Request: not a message of JSON-RPC 2.0, with "jsonrpc": "2.0", a method, and an id that is a string or a number';

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString());
  } catch {
    return undefined;
  }
}

function errorResponse(status: number, code: number, message: string, id: unknown = null): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id }, { status });
}
