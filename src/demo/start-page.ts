import type { INestApplication } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AccessRulesService } from '../access/access-rules.service.js';
import { system } from '../platform/auth/actor.js';
import { Env } from '../platform/config/env.js';
import { hasConsole, PublicUrl } from '../platform/config/public-url.js';
import { EXAMPLE_IDS } from '../platform/openapi/example-ids.js';
import { isUnavailable } from '../platform/problems/problem.filter.js';
import type { StatusPageDto } from '../status-pages/dto/status-page.dto.js';
import { StatusPagesService } from '../status-pages/status-pages.service.js';
import { SummariesService } from '../summaries/summaries.service.js';
import { Content } from '../visitors/cache/content.js';
import { UNAVAILABLE } from '../visitors/cache/contents.js';
import { sendContent } from '../visitors/cache/send-content.js';
import { renderStart, type StartedPage } from '../page-documents/components/start-page.js';
import { encode } from '../page-model/page-document.js';
import { DemoService } from './demo.service.js';
import { firstSteps } from './print-demo.js';

/** Maximum number of status pages on the start page. */
const MAX_PAGES = 10;

/**
 * Serves the start page at `/`, with the status pages of the demo and the next steps, unless `HOME_PAGE` is set. Only for
 * `npm start`.
 */
export function serveStartPage(app: INestApplication): void {
  const env = app.get(Env);
  if (env.HOME_PAGE !== undefined) return;
  const [demo, publicUrl] = [app.get(DemoService), app.get(PublicUrl)];
  app.getHttpAdapter().get('/', async (request: Request, response: Response) => {
    try {
      const found = await demo.find();
      const { docs_url, key_command } = firstSteps(found, publicUrl.value, env);
      // Paths, because the browser can use another host name.
      const base = new URL(`${publicUrl.value}/`).pathname;
      const pages =
        found.organization_id === undefined ? [] : await pagesOf(app, found.organization_id, base);
      const document = renderStart({
        pages,
        console_path: hasConsole(env) ? `${base}manage` : undefined,
        docs_path: new URL(docs_url).pathname,
        key_command,
      });
      const content = new Content(encode(document), { 'Cache-Control': 'no-store' });
      await sendContent(request, response, 200, content, request.id);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      request.error_code = 'unavailable';
      await sendContent(request, response, 503, UNAVAILABLE, request.id);
    }
  });
}

/** Returns the newest status pages of the demo project. */
async function pagesOf(app: INestApplication, organization_id: string, base: string): Promise<StartedPage[]> {
  const actor = system('start page', organization_id);
  const query = { project_id: EXAMPLE_IDS.project, limit: MAX_PAGES };
  const { data } = await app.get(StatusPagesService).list(actor, query);
  const pages: StatusPageDto[] = JSON.parse(String(data.text));
  const hidden = pages.filter(({ is_public }) => !is_public).map(({ slug }) => slug);
  const gated = new Set((await app.get(AccessRulesService).gatedAmong(hidden)).map(({ slug }) => slug));
  return Promise.all(
    pages.map(async ({ id, name, slug, is_public }) => {
      const { headline, incidents } = await app.get(SummariesService).get(actor, id);
      return {
        name,
        path: is_public || gated.has(slug) ? `${base}status/${slug}` : undefined,
        is_public,
        status: headline.status,
        headline: headline.text,
        incidents: incidents.map(({ title }) => title),
      };
    }),
  );
}
