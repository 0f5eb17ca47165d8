import type { Demo } from './demo.service.js';

/** Prints the demo's key, this once, with a list and an update to paste. */
export function printDemo({ key, project_id, status_page_ids }: Demo, url: string): void {
  process.stdout.write(`
This is a new database: it was given demo data, and a key to it, which is shown this once:

  ${key}

List the status pages of the demo project, and update one:

curl -H 'Authorization: Bearer ${key}' '${url}/v1/status-pages?project_id=${project_id}&limit=3'

curl -X PATCH -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '{"name":"Updated from curl"}' '${url}/v1/status-pages/${status_page_ids.at(-1)}'

`);
}
