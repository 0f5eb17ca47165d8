import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import type { Request, Response } from 'express';
import { COMMON_HEADERS } from './components.js';

// Resolves the swagger-ui that `@nestjs/swagger` depends on.
const requireFromNest = createRequire(createRequire(import.meta.url).resolve('@nestjs/swagger'));
const root = dirname(requireFromNest.resolve('swagger-ui-dist/package.json'));

/** Files of swagger-ui that the page loads. */
const FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

/**
 * Serves Swagger UI for `/openapi.json` at `/docs`. `SwaggerModule.setup` would serve the whole package, including source
 * maps and package.json.
 */
export function serveDocsPage(app: INestApplication): void {
  const http = app.getHttpAdapter();
  http.get('/docs', (_request: Request, response: Response) => response.type('html').send(PAGE));
  http.get('/docs/swagger-ui-init.js', (_request: Request, response: Response) =>
    response.type('js').send(SCRIPT),
  );
  for (const file of FILES) {
    http.get(`/docs/${file}`, (_request: Request, response: Response) => response.sendFile(file, { root }));
  }
}

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>Status Pages API</title>
    <link rel="stylesheet" href="docs/swagger-ui.css">
    <link rel="icon" type="image/png" href="docs/favicon-32x32.png">
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/swagger-ui-init.js"></script>
  </body>
</html>
`;

// Hides the common headers, which are listed once in the introduction of the document. Focuses the first field of "Authorize",
// because Swagger UI focuses the last one, which is for receivers.
const SCRIPT = `const common = new Set(${JSON.stringify(Object.keys(COMMON_HEADERS))});
const ownHeaders = {
  wrapComponents: {
    headers: (Headers, { React }) => (props) =>
      React.createElement(Headers, { ...props, headers: props.headers.filter((_header, name) => !common.has(name)) }),
    authorizationPopup: (Popup, { React }) => (props) => {
      React.useEffect(() => document.querySelector('.auth-container input')?.focus(), []);
      return React.createElement(Popup, props);
    },
  },
};
window.ui = SwaggerUIBundle({ url: 'openapi.json', dom_id: '#swagger-ui', deepLinking: true, plugins: [ownHeaders] });
`;
