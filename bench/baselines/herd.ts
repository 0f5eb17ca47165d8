// The upper bound for visits: bare node:http that sends the same bytes as the service, and 304. It fetches them once
// on startup.
import { createServer } from 'node:http';

const { HOST, PORT, PAGE_URL = '' } = process.env;
const page = await fetch(PAGE_URL, { headers: { 'Accept-Encoding': 'identity' } });
const bytes = Buffer.from(await page.arrayBuffer());
const etag = page.headers.get('etag') ?? '';

createServer((request, response) => {
  if (request.headers['if-none-match'] === etag) {
    response.writeHead(304, { ETag: etag }).end();
    return;
  }
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': bytes.length,
    ETag: etag,
  };
  response.writeHead(200, headers).end(bytes);
}).listen(Number(PORT), HOST);
