import { Controller, Next, Req, Res } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { allowedMethods } from '../../platform/server/methods.js';
import { message } from '../frame.js';
import { goTo, ownPath, type Reply } from '../reply.js';
import { Form, Screen } from '../routes.js';
import { visitOf } from '../visit.js';
import { WORDS } from '../words.js';

const { unknown: words, errors } = WORDS;

/**
 * Responds to browsers at addresses below `/manage` that lead to no screen. Programs, which do not ask for HTML, get the problem of
 * the API.
 */
@Controller('manage')
export class UnknownScreensController {
  @Screen('{*unknown}', 'everyone')
  show(@Req() request: Request, @Res() response: Response, @Next() next: NextFunction): void {
    if (!asksForHtml(request)) return next();
    const { path } = request;
    let { length } = path;
    while (path[length - 1] === '/') length -= 1;
    const reply = length < path.length ? goTo(ownPath(path.slice(0, length))) : unknown(request);
    reply.send(response);
  }

  @Form('{*unknown}', 'everyone')
  send(@Req() request: Request, @Res() response: Response, @Next() next: NextFunction): void {
    if (!asksForHtml(request)) return next();
    unknown(request).send(response);
  }
}

function asksForHtml({ headers }: Request): boolean {
  return headers.accept?.includes('text/html') ?? false;
}

/** Renders 404, or 405 for the address of a form, which a browser requests if a person enters it. */
function unknown(request: Request): Reply {
  const allowed = allowedMethods(request.app, request.path);
  const isForm = allowed.length > 0;
  request.error_code = isForm ? 'method_not_allowed' : 'not_found';
  return message({
    title: words.title,
    text: isForm ? words.form : words.text,
    visit: visitOf(request),
    status: isForm ? 405 : 404,
    ...(isForm && { headers: { Allow: allowed.join(', ') } }),
    link: { path: '/manage', text: errors.now },
  });
}
