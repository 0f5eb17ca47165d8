import { Controller, Param, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { isMonth, monthOf } from '../../page-model/months.js';
import { API_DOCUMENTS, FEED_FORMATS, imagePartOf, type Part } from '../../page-model/parts.js';
import { Visit } from './visit.decorator.js';
import { PageResponder } from './page-responder.js';

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Status pages with all their parts, for visitors, without a key. */
@Controller('status')
export class PublicPageController {
  constructor(private readonly visitors: PageResponder) {}

  /** Script of all pages. */
  @Visit('assets/page.js')
  script(@Res() response: Response): Promise<void> {
    return this.visitors.respondScript(response);
  }

  @Visit(':slug')
  overview(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.visitors.respond(request, response, { kind: 'overview' });
  }

  /** One monitor, with every day. */
  @Visit(':slug/monitors/:id')
  monitor(@Req() request: Request, @Res() response: Response, @Param('id') id: string): Promise<void> {
    return this.visitors.respond(request, response, ifId({ kind: 'monitor', id }));
  }

  /** Incidents and maintenance windows of a month, by default the current one. */
  @Visit(':slug/history')
  history(@Req() request: Request, @Res() response: Response, @Query('month') month: unknown): Promise<void> {
    const now = new Date();
    const one = month ?? monthOf(now);
    const isKnown = typeof one === 'string' && isMonth(one, now);
    return this.visitors.respond(request, response, isKnown ? { kind: 'history', month: one } : undefined);
  }

  @Visit(':slug/incidents/:id')
  incident(@Req() request: Request, @Res() response: Response, @Param('id') id: string): Promise<void> {
    return this.visitors.respond(request, response, ifId({ kind: 'incident', id }));
  }

  @Visit(':slug/maintenances/:id')
  maintenance(@Req() request: Request, @Res() response: Response, @Param('id') id: string): Promise<void> {
    return this.visitors.respond(request, response, ifId({ kind: 'maintenance', id }));
  }

  /** RSS 2.0, Atom and JSON Feed. */
  @Visit(':slug/feed.:format')
  feed(@Req() request: Request, @Res() response: Response, @Param('format') format: string): Promise<void> {
    const known = FEED_FORMATS.find((one) => one === format);
    return this.visitors.respond(request, response, known && { kind: 'feed', format: known });
  }

  @Visit(':slug/maintenance.ics')
  calendar(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.visitors.respond(request, response, { kind: 'calendar' });
  }

  /** Documents for clients of Atlassian Statuspage. */
  @Visit(':slug/api/v2/*document')
  api(@Req() request: Request, @Res() response: Response): Promise<void> {
    const document = API_DOCUMENTS.find((one) => request.path.endsWith(`/api/v2/${one}.json`));
    return this.visitors.respond(request, response, document && { kind: 'api', document });
  }

  @Visit(':slug/badge.svg')
  badge(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.visitors.respond(request, response, { kind: 'badge', format: 'svg' });
  }

  /** Endpoint badges of Shields. */
  @Visit(':slug/badge.json')
  badgeData(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.visitors.respond(request, response, { kind: 'badge', format: 'json' });
  }

  /** Picture for link previews. */
  @Visit(':slug/og-image.png')
  ogImage(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.visitors.respond(request, response, { kind: 'og-image' });
  }

  /** Pictures of the company. */
  @Visit(':slug/:name-:hash.:extension')
  image(@Req() request: Request, @Res() response: Response): Promise<void> {
    const file = request.path.slice(request.path.lastIndexOf('/') + 1);
    return this.visitors.respond(request, response, imagePartOf(file));
  }

  /** `/status` and all other paths below it. */
  @Visit(['', '{*path}'])
  notFound(@Res() response: Response): Promise<void> {
    return this.visitors.respondNotFound(response);
  }
}

/** Returns the part if its ID has the right format and is in lower case, so that each part has one path. */
function ifId(part: Part & { id: string }): Part | undefined {
  return ID.test(part.id) ? part : undefined;
}
