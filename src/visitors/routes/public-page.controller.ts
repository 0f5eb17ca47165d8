import { Controller, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { PART_ROUTES, partAt } from '../../page-model/parts.js';
import { Visit } from './visit.decorator.js';
import { PageResponder } from './page-responder.js';

/** Returns the route of a part in Express notation. The documents of `api/v2` are in directories. */
const toRoute = (route: string) =>
  `:slug${route.replace('{document}', '*document').replaceAll(/\{(\w+)\}/g, ':$1')}`;

/** Status pages with all their parts, for visitors, without a key. */
@Controller('status')
export class PublicPageController {
  constructor(private readonly visitors: PageResponder) {}

  /** Script of all pages. */
  @Visit('assets/page.js')
  script(@Res() response: Response): Promise<void> {
    return this.visitors.respondScript(response);
  }

  @Visit(PART_ROUTES.map(toRoute))
  part(@Req() request: Request, @Res() response: Response): Promise<void> {
    const [path = ''] = request.originalUrl.split('?', 1);
    const part = partAt(path.replace(/^\/status\/[^/]*/, ''), request.query['month']);
    return this.visitors.respond(request, response, part);
  }

  /** `/status` and all other paths below it. */
  @Visit(['', '{*path}'])
  notFound(@Res() response: Response): Promise<void> {
    return this.visitors.respondNotFound(response);
  }
}
