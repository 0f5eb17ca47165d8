import type { Env } from '../platform/config/env.js';
import { pagePath } from '../status-pages/page-path.js';
import type { FirstSignIn } from './demo-people.js';
import type { Demo, FoundDemo } from './demo.service.js';

/**
 * Prints the address of the first demo status page, and the API key, with shell commands that list the pages, show one, and
 * update it.
 * @param url the URL of the API
 * @param publicUrl the public URL of the server
 * @param signIn a link that signs in to the console
 */
export function printDemo(demo: Demo, url: string, publicUrl: string, signIn: FirstSignIn | undefined): void {
  const { key, project_id, status_page_ids, slug } = demo;
  process.stdout.write(`
Created demo data. Open the demo status page in a browser:

  ${publicUrl}/status/${slug}

${signIn === undefined ? '' : `Sign in to the console as ${signIn.email}. The link works once, within 15 minutes:\n\n  ${signIn.url}\n\n`}Paste these lines into a shell. The API key is shown only once:

export KEY=${key}
export PROJECT=${project_id}
export PAGE=${status_page_ids.at(-1)}

List the status pages of the demo project, get the current summary of one page, and update the page:

curl -H "Authorization: Bearer $KEY" "${url}/v1/status-pages?project_id=$PROJECT&limit=3"

curl -H "Authorization: Bearer $KEY" "${url}/v1/status-pages/$PAGE/summary"

curl -X PATCH -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" -d '{"name":"Acme Status","accent_color":"#0f766e"}' "${url}/v1/status-pages/$PAGE"

`);
}

/** Addresses and the first command of a server that `npm start` runs. */
export interface FirstSteps {
  /** Demo page; undefined if it does not exist. */
  page_url: string | undefined;
  docs_url: string;
  /** Command that creates an API key. */
  key_command: string;
}

/**
 * Returns the first steps with an existing database.
 * @param publicUrl the public URL of the server
 */
export function firstSteps({ organization_id, slug }: FoundDemo, publicUrl: string, env: Env): FirstSteps {
  const organization = organization_id === undefined ? '' : ` --organization ${organization_id}`;
  const database = env.EMBEDDED ? 'EMBEDDED=true ' : '';
  return {
    page_url: slug === undefined ? undefined : publicUrl + pagePath(slug, env.HOME_PAGE),
    docs_url: `${publicUrl}/docs`,
    key_command: `${database}npm run --silent cli -- api-key create --name Admin --all-scopes${organization}`,
  };
}

/**
 * Prints the addresses of the server, and how to create an API key.
 * @param signIn a link that signs in to the console
 */
export function printFirstSteps(
  { page_url, docs_url, key_command }: FirstSteps,
  publicUrl: string,
  signIn: FirstSignIn | undefined,
): void {
  process.stdout.write(`
${page_url === undefined ? `Start page:         ${publicUrl}/` : `Status page:        ${page_url}`}
API documentation:  ${docs_url}
Create an API key:  ${key_command}
${signIn === undefined ? '' : `Sign in once:       ${signIn.url}\nFirst member:       ${signIn.email}\n`}
`);
}
