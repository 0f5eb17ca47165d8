import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { PAGES } from '../../src/demo/demo-pages.js';
import { DemoService } from '../../src/demo/demo.service.js';
import { system } from '../../src/platform/auth/actor.js';
import { useTestServer } from '../support/server.js';
import { examplesOf } from './examples.js';

/** Documents assign the ID in the response of a POST to this variable, and use it later. */
const NAMED: [RegExp, string][] = [
  [/-X POST "[^"]*\/v1\/status-pages"[^]*"Accounts\\"/, 'ACCOUNTS'],
  [/-X POST "[^"]*\/v1\/projects"/, 'MOBILE'],
  [/-X POST "[^"]*\/v1\/monitors"/, 'MONITOR'],
  [/-X POST "[^"]*\/v1\/incidents"/, 'INCIDENT'],
  [/-X POST "[^"]*\/updates"/, 'UPDATE'],
  [/-X POST "[^"]*\/v1\/maintenances"/, 'MAINTENANCE'],
  [/-X POST "[^"]*\/v1\/incident-templates"/, 'INCIDENT_TEMPLATE'],
  [/-X POST "[^"]*\/v1\/subscribers"/, 'SUBSCRIBER'],
  [/-X POST "[^"]*\/v1\/webhook-endpoints"/, 'WEBHOOK_ENDPOINT'],
  [/-X POST "[^"]*\/access\/links"/, 'ACCESS_LINK'],
  [/-X POST "[^"]*\/v1\/members"/, 'MEMBER'],
  [/-X POST "[^"]*\/v1\/checks"/, 'CHECK'],
  [/-X POST "[^"]*\/v1\/incident-drafts"/, 'INCIDENT_DRAFT'],
  [/-X POST "[^"]*\/v1\/api-keys"/, 'API_KEY'],
];

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const VOLATILE: [RegExp, string][] = [
  [/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/, '<uuid>'],
  [TIME, '<time>'],
  [/^A[A-Za-z0-9_-]{65}$/, '<cursor>'],
  [/^http:\/\/localhost:\d+\/status\/accounts\?preview=pv_[0-9A-Za-z]{46}$/, '<preview>'],
];

/** JSON in which values that vary between runs are replaced by their form. */
function stable(text: string): unknown {
  const atShownPort = text.replaceAll(/http:\/\/localhost:\d+/g, 'http://localhost:3000');
  return JSON.parse(atShownPort, (_key, value: unknown) =>
    typeof value === 'string' ? (VOLATILE.find(([form]) => form.test(value))?.[1] ?? value) : value,
  );
}

/** The expected value, in which "…" matches any value. */
function elided(shown: string): unknown {
  return JSON.parse(shown, (_key, value: unknown) => {
    if (value === '…') return expect.anything();
    return typeof value === 'string' ? (VOLATILE.find(([form]) => form.test(value))?.[1] ?? value) : value;
  });
}

/** Every volatile value in a document, with the corresponding value of this run. */
function pairsOf(shown: unknown, answered: unknown): [shown: string, answered: string][] {
  if (typeof shown === 'string' && typeof answered === 'string') {
    return VOLATILE.some(([form]) => form.test(shown)) ? [[shown, answered]] : [];
  }
  if (typeof shown !== 'object' || shown === null || typeof answered !== 'object' || answered === null)
    return [];
  const values = new Map<string, unknown>(Object.entries(answered));
  return Object.entries(shown).flatMap(([name, value]) => pairsOf(value, values.get(name)));
}

/** Places in which a document shows two values for one thing, or one value for two things. */
function confusionsOf(pairs: [shown: string, answered: string][]): string[] {
  const [answeredBy, shownBy] = [new Map<string, string>(), new Map<string, string>()];
  return pairs.flatMap(([shown, answered]) => {
    const [known, knownAs] = [answeredBy.get(shown) ?? answered, shownBy.get(answered) ?? shown];
    answeredBy.set(shown, known);
    shownBy.set(answered, knownAs);
    return [
      ...(known === answered ? [] : [`${shown} is shown for two things`]),
      ...(knownAs === shown ? [] : [`${shown} and ${knownAs} are shown for one thing`]),
    ];
  });
}

/** The times in a document that are not in their chronological order. */
function disorderOf(pairs: [shown: string, answered: string][]): string[] {
  const times = pairs
    .filter(([shown]) => TIME.test(shown))
    .toSorted(([one], [other]) => one.localeCompare(other));
  return times.flatMap(([shown, answered], index) => {
    const [before, answeredBefore] = times[index - 1] ?? [shown, answered];
    const right = shown === before ? answered === answeredBefore : answered >= answeredBefore;
    return right ? [] : [`${before} and ${shown}, which are ${answeredBefore} and ${answered}`];
  });
}

const DOCUMENTS = [
  'README.md',
  'docs/getting-started.md',
  ...readdirSync('docs/api').map((name) => `docs/api/${name}`),
];

describe.each(DOCUMENTS)('examples in %s', { tags: ['curl'] }, (path) => {
  const server = useTestServer();
  const env: Record<string, string> = {};

  beforeAll(async () => {
    const { key, project_id, status_page_ids } = await server.app
      .get(DemoService)
      .create(PAGES.length, (id) => system('demo data', id));
    const { id } = await server.client(key).me();
    Object.assign(env, { KEY: key, KEY_ID: id, PROJECT: project_id, PAGE: status_page_ids.at(-1) });
  });

  const pairs: [shown: string, answered: string][] = [];

  it('return the responses that the document shows', async () => {
    const examples = await examplesOf(path);
    const curls = [...(await readFile(path, 'utf8')).matchAll(/^curl /gm)];
    expect(examples.length).toBe(curls.length);
    expect(examples.length).toBeGreaterThan(2);
    for (const { command, kind, shown } of examples) {
      const here = command
        .replaceAll('http://127.0.0.1:3000', server.url)
        .replaceAll('curl ', 'curl --silent --show-error ');
      const { stdout } = await promisify(execFile)('bash', ['-c', here], { env: { ...process.env, ...env } });
      if (kind === 'text') expect([command, stdout.trim()]).toEqual([command, shown.trim()]);
      else {
        expect([command, stable(stdout)]).toEqual([command, elided(shown)]);
        pairs.push(...pairsOf(JSON.parse(shown), JSON.parse(stdout)));
      }
      const [, variable] = NAMED.find(([pattern]) => pattern.test(command)) ?? [];
      if (variable) env[variable] = JSON.parse(stdout).data.id;
    }
  });

  it('show a consistent ID for each resource, and times in order', () => {
    expect(pairs.length).toBeGreaterThan(5);
    expect(confusionsOf(pairs.filter(([shown]) => !TIME.test(shown)))).toEqual([]);
    expect(disorderOf(pairs)).toEqual([]);
  });
});
