import { type Agent, get, type IncomingMessage, type request } from 'node:http';

/** Waits for the response to a request of `node:http`. */
export function onceAnswered(asked: ReturnType<typeof request>): Promise<[IncomingMessage]> {
  return new Promise((resolve, reject) => {
    asked.once('response', (answer) => resolve([answer]));
    asked.once('error', reject);
  });
}

export async function textOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}

/** Sends a GET on a connection of the agent. */
export async function answerOn(
  agent: Agent,
  url: string,
  key = '',
): Promise<{ status: number | undefined; headers: IncomingMessage['headers']; text: string }> {
  const asked = get(url, { agent, headers: key ? { Authorization: `Bearer ${key}` } : {} });
  const [answer] = await onceAnswered(asked);
  return { status: answer.statusCode, headers: answer.headers, text: await textOf(answer) };
}
