import type { Demo } from './demo.service.js';

/** Prints the key of the demo data, this once, with lines to paste into a shell: variables, a list, and an update. */
export function printDemo({ key, project_id, status_page_ids }: Demo, url: string): void {
  process.stdout.write(`
This is a new database. It has demo data now, and an API key, which is shown only here. Paste this into a shell:

export KEY=${key}
export PROJECT=${project_id}
export PAGE=${status_page_ids.at(-1)}

List the status pages of the demo project, and update one:

curl -H "Authorization: Bearer $KEY" "${url}/v1/status-pages?project_id=$PROJECT&limit=3"

curl -X PATCH -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" -d '{"name":"Updated from curl"}' "${url}/v1/status-pages/$PAGE"

`);
}
