import type { Request, Response } from 'express';
import { parseFields } from '../platform/validation/form.js';
import type { ConsoleSessions } from './console-session.js';
import { goTo, ownPath, type Reply } from './reply.js';
import { type KeptForm, renderKept } from './sign-in-page.js';
import { pathOf, queryOf } from './visit.js';

/** Destination of a sign-in. `to`: a path of the console. `kept`: a form that was sent without a session. */
interface Entry {
  to: string;
  kept: KeptForm | undefined;
}

/** Keeps the session in a cookie. A form that the member had sent before is not sent by itself. */
export async function enter(
  sessions: ConsoleSessions,
  request: Request,
  response: Response,
  { token }: { token: string },
  { to, kept }: Entry,
): Promise<Reply> {
  await sessions.keep(request, response, token);
  const session = kept && (await sessions.of(request, token));
  if (!session) return goTo(to);
  const visit = { session, actor: session.actor, sent: kept.sent, query: queryOf(request) };
  return renderKept({ ...visit, path: pathOf(request) }, kept);
}

/** Returns the form that the page to sign in keeps. @throws Problem 413 `payload_too_large` as `parseFields` */
export function keptIn(sent: URLSearchParams): KeptForm | undefined {
  const fields = sent.get('kept');
  return fields === null ? undefined : { to: ownPath(sent.get('kept_to')), sent: parseFields(fields) };
}
