import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { from, type Observable } from 'rxjs';
import { isFromOtherOrigin } from '../../platform/server/request-headers.js';
import { Content } from '../cache/content.js';
import { sendContent } from '../cache/send-content.js';
import { encode } from '../../page-model/page-document.js';
import { PRIVATE_HEADERS } from './private-reply.js';

const REJECTION = new Content(
  encode({
    type: 'text/plain; charset=utf-8',
    body: 'This form was sent by another site. Open the status page, and send its form again.\n',
  }),
  PRIVATE_HEADERS,
  false,
);

/**
 * Rejects forms that another site sends in the browser of a visitor, who can have a session or be in a network that may see the page
 * (CSRF). Nothing is read or counted before.
 */
@Injectable()
export class OwnForms implements NestInterceptor<unknown, unknown> {
  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    if (!isFromOtherOrigin(request)) return next.handle();
    const sent = sendContent(request, http.getResponse<Response>(), 403, REJECTION, request.id);
    return from(sent);
  }
}
