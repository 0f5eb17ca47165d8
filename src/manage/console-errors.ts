import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ErrorLog } from '../platform/logging/error-log.js';
import { statusOf, toProblem } from '../platform/problems/problem.filter.js';
import { Problem } from '../platform/problems/problem.js';
import { isMultipart } from '../platform/validation/upload.js';
import { FormRefused, SignInNeeded } from './console.guard.js';
import { message } from './frame.js';
import { goTo, type Reply } from './reply.js';
import { renderKept, renderSendAgain } from './sign-in-page.js';
import { SignInScreen } from './sign-in-screen.js';
import { visitOf } from './visit.js';
import { WORDS } from './words.js';

const { errors } = WORDS;

/** Title and text of each error that a member can cause. */
const TEXTS: Readonly<Record<string, { title: string; text: string }>> = {
  not_found: { title: errors.not_found, text: errors.not_found_text },
  insufficient_scope: { title: errors.insufficient_scope, text: errors.insufficient_scope_text },
  forbidden: { title: errors.forbidden, text: errors.forbidden_text },
  rate_limited: { title: errors.rate_limited, text: errors.rate_limited_text },
  unavailable: { title: errors.unavailable, text: errors.unavailable_text },
};

/** Errors after which the same form can be sent again. */
const PASSING = new Set(['rate_limited', 'unavailable']);

/** Shows errors of the console as screens, and asks for a session without losing what a member wrote. */
@Catch()
export class ConsoleErrors implements ExceptionFilter {
  constructor(
    private readonly log: ErrorLog,
    private readonly signInScreen: SignInScreen,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    if (response.headersSent) response.destroy();
    else this.replyTo(error, request).send(response);
  }

  private replyTo(error: unknown, request: Request): Reply {
    const visit = visitOf(request);
    if (error instanceof SignInNeeded)
      return goTo(`/manage/sign-in?${new URLSearchParams({ to: request.originalUrl })}`);
    if (error instanceof FormRefused) {
      if (!visit && request.path === '/manage/sign-out') return goTo('/manage/sign-in'); // has happened already
      request.error_code = 'forbidden';
      const kept = { to: request.path, sent: error.sent };
      return visit ? renderKept(visit, kept, 403) : this.signInScreen.render({ kept, status: 403 });
    }
    const problem = toProblem(error, undefined);
    const status = statusOf(problem);
    const id = String(request.id);
    request.error_code = problem.code;
    if (status >= 500 && !(error instanceof Problem)) this.log.log(error, problem.code, id);
    const headers = problem instanceof Problem ? problem.headers : {};
    const { title, text } = TEXTS[problem.code] ?? {
      title: status < 500 ? errors.invalid : errors.internal_error,
      text: status < 500 ? problem.detail : errors.internal_error_text(id),
    };
    const frame = { title, visit, status, headers: withoutChallenge(headers) };
    // A chosen file is not kept.
    const isKept = PASSING.has(problem.code) && request.method === 'POST' && !isMultipart(request);
    const sent = isKept ? request.console?.sent : undefined;
    const again = sent && renderSendAgain({ to: request.path, sent }, frame);
    return again ?? message({ ...frame, text, link: { path: '/manage', text: errors.now } });
  }
}

/** Leaves out the header that asks clients of the API for a key. */
function withoutChallenge(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !/^www-authenticate$/i.test(name)));
}
