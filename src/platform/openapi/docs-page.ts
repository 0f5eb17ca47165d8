import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import type { Request, Response } from 'express';
import { assetPath } from '../config/project-files.js';
import { COMMON_HEADERS } from './components.js';

// Resolves the swagger-ui that `@nestjs/swagger` depends on.
const requireFromNest = createRequire(createRequire(import.meta.url).resolve('@nestjs/swagger'));

const swaggerUi = dirname(requireFromNest.resolve('swagger-ui-dist/package.json'));
const own = assetPath('platform/openapi/assets');

/** Files that the page loads, and their directories. */
const FILES = {
  'swagger-ui.css': swaggerUi,
  'swagger-ui-bundle.js': swaggerUi,
  'favicon-32x32.png': swaggerUi,
  'docs.css': own,
  'docs.js': own,
};

/**
 * Serves Swagger UI for `/openapi.json` at `/docs`. `SwaggerModule.setup` would serve the whole package, including source
 * maps and package.json.
 */
export function serveDocsPage(app: INestApplication): void {
  const http = app.getHttpAdapter();
  http.get('/docs', (_request: Request, response: Response) => response.type('html').send(PAGE));
  for (const [file, root] of Object.entries(FILES)) {
    http.get(`/docs/${file}`, (_request: Request, response: Response) => response.sendFile(file, { root }));
  }
}

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <meta name="color-scheme" content="light dark">
    <title>Status Pages API</title>
    <link rel="preload" href="docs/swagger-ui.css" as="style">
    <link rel="stylesheet" href="docs/docs.css">
    <link rel="icon" type="image/png" href="docs/favicon-32x32.png">
  </head>
  <body>
    <header>
      <h1>Status Pages API</h1>
      <a href="openapi.json">OpenAPI document</a>
    </header>
    <div id="swagger-ui"></div>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/docs.js" data-common-headers="${Object.keys(COMMON_HEADERS).join(' ')}"></script>
  </body>
</html>
`;
