import type { Demo } from './demo.service.js';

/**
 * Prints the address of the first demo status page, and the API key, with shell commands that list the pages, show one, and
 * update it.
 * @param url the URL of the API
 * @param publicUrl the public URL of the server
 */
export function printDemo(demo: Demo, url: string, publicUrl: string): void {
  const { key, project_id, status_page_ids, slug } = demo;
  process.stdout.write(`
Created demo data. Open the demo status page in a browser:

  ${publicUrl}/status/${slug}

Paste these lines into a shell. The API key is shown only once:

export KEY=${key}
export PROJECT=${project_id}
export PAGE=${status_page_ids.at(-1)}

List the status pages of the demo project, get the current summary of one page, and update the page:

curl -H "Authorization: Bearer $KEY" "${url}/v1/status-pages?project_id=$PROJECT&limit=3"

curl -H "Authorization: Bearer $KEY" "${url}/v1/status-pages/$PAGE/summary"

curl -X PATCH -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" -d '{"name":"Updated from curl"}' "${url}/v1/status-pages/$PAGE"

`);
}
