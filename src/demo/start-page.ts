import type { INestApplication } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Env } from '../platform/config/env.js';
import { PublicUrl } from '../platform/config/public-url.js';
import { isUnavailable } from '../platform/problems/problem.filter.js';
import { Content } from '../visitors/cache/content.js';
import { UNAVAILABLE } from '../visitors/cache/contents.js';
import { sendContent } from '../visitors/cache/send-content.js';
import { renderStart } from '../page-documents/components/start-page.js';
import { encode } from '../page-model/page-document.js';
import { DemoService } from './demo.service.js';
import { firstSteps } from './print-demo.js';

/**
 * Serves the start page at `/`, with links to the demo page and the documentation, unless `HOME_PAGE` is set. Only for
 * `npm start`.
 */
export function serveStartPage(app: INestApplication): void {
  const env = app.get(Env);
  if (env.HOME_PAGE !== undefined) return;
  const [demo, publicUrl] = [app.get(DemoService), app.get(PublicUrl)];
  app.getHttpAdapter().get('/', async (request: Request, response: Response) => {
    try {
      const { page_url, docs_url, key_command } = firstSteps(await demo.find(), publicUrl.value, env);
      // Paths, because the browser can use another host name.
      const page_path = page_url === undefined ? undefined : new URL(page_url).pathname;
      const document = renderStart({ page_path, docs_path: new URL(docs_url).pathname, key_command });
      const content = new Content(encode(document), { 'Cache-Control': 'no-store' });
      await sendContent(request, response, 200, content, request.id);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      request.error_code = 'unavailable';
      await sendContent(request, response, 503, UNAVAILABLE, request.id);
    }
  });
}
