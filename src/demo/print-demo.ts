import type { Demo } from './demo.service.js';

/** Prints the API key of the demo data, with shell commands that list and update its status pages. */
export function printDemo({ key, project_id, status_page_ids }: Demo, url: string): void {
  process.stdout.write(`
This database was empty. It now has demo data and an API key, which is shown only once. Paste this into a shell:

export KEY=${key}
export PROJECT=${project_id}
export PAGE=${status_page_ids.at(-1)}

List the status pages of the demo project, and update one:

curl -H "Authorization: Bearer $KEY" "${url}/v1/status-pages?project_id=$PROJECT&limit=3"

curl -X PATCH -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" -d '{"name":"Updated from curl"}' "${url}/v1/status-pages/$PAGE"

`);
}
