import { existsSync, readdirSync } from 'node:fs';
import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { read } from './deployment-files.js';

const DIRECTORY = '.github/workflows';

interface Step {
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
}

interface Job {
  uses?: string;
  needs?: string | string[];
  permissions?: Record<string, string>;
  'timeout-minutes'?: number;
  'runs-on'?: string;
  container?: { image: string };
  steps?: Step[];
}

interface Workflow {
  on: Record<string, { branches?: string[]; tags?: string[] } | null>;
  permissions: Record<string, string>;
  jobs: Record<string, Job>;
}

/** Parses a workflow. YAML 1.2 reads `on` as a text. */
function workflow(name: string): Workflow {
  const parsed = load(read(`${DIRECTORY}/${name}`));
  if (typeof parsed !== 'object' || parsed === null) throw new Error(`${name} contains no mapping`);
  const checked: Workflow = JSON.parse(JSON.stringify(parsed));
  return checked;
}

const names = readdirSync(DIRECTORY);
const stepsOf = ({ steps = [] }: Job = {}) => steps;
const withOf = (job: Job | undefined, action: string) =>
  stepsOf(job).find(({ uses }) => uses?.startsWith(`${action}@`))?.with;
const runsOf = (job: Job | undefined) => stepsOf(job).flatMap(({ run }) => run ?? []);

describe.each(names)('.github/workflows/%s', (name) => {
  const { on, permissions, jobs } = workflow(name);

  it('contains only fields of the workflow syntax, with a trigger and a job', () => {
    const {
      name: _name,
      on: _on,
      permissions: _permissions,
      concurrency: _concurrency,
      jobs: _jobs,
      ...others
    } = JSON.parse(JSON.stringify(load(read(`${DIRECTORY}/${name}`))));
    expect(others).toEqual({});
    expect(Object.keys(on).filter((one) => !['push', 'pull_request', 'workflow_call'].includes(one))).toEqual(
      [],
    );
    expect(Object.keys(jobs).length).toBeGreaterThan(0);
  });

  it('reads only the repository by default', () => {
    expect(permissions).toEqual({ contents: 'read' });
  });

  it.each(Object.entries(jobs))(
    'limits the time of each job, and waits only for existing ones: %s',
    (_job, job) => {
      expect([job.needs ?? []].flat().filter((one) => !(one in jobs))).toEqual([]);
      if (job.uses !== undefined) {
        expect(job.uses).toMatch(/^\.\/\.github\/workflows\//);
        expect(existsSync(job.uses)).toBe(true);
        return;
      }
      expect(job['timeout-minutes']).toBeLessThanOrEqual(180);
      expect(job['runs-on']).toMatch(/^ubuntu-\d\d\.04$/); // not "latest", which changes
      for (const { uses, run } of stepsOf(job)) {
        expect([uses, run].filter((one) => one !== undefined)).toHaveLength(1);
        if (uses !== undefined) expect(uses).toMatch(/^(?:actions|docker)\/[a-z-]+@v\d+$/);
        // An expression in a script would run as a part of it.
        expect(run ?? '').not.toContain('${{');
      }
    },
  );
});

describe('CI', () => {
  it('runs .ci/run with the Node.js of "npm test", as root on Debian', () => {
    const { ci } = workflow('ci.yml').jobs;
    expect(runsOf(ci)).toContain('.ci/run');
    expect(ci?.container?.image).toBe('node:20-bookworm');
  });
});

describe('release', () => {
  const { on, jobs } = workflow('release.yml');

  it('begins with a tag, and publishes only after CI', () => {
    expect(on).toEqual({ push: { tags: ['v[0-9]+.[0-9]+.[0-9]+*'] } });
    expect(jobs['ci']?.uses).toBe('./.github/workflows/ci.yml');
    for (const name of ['image', 'client']) expect(jobs[name]?.needs).toBe('ci');
  });

  it('publishes the image with an SBOM and provenance, for both platforms', () => {
    const { image } = jobs;
    expect(image?.permissions).toEqual({ contents: 'read', packages: 'write' });
    expect(withOf(image, 'docker/build-push-action')).toMatchObject({
      platforms: 'linux/amd64,linux/arm64',
      push: true,
      sbom: true,
      provenance: 'mode=max',
    });
    expect(runsOf(image).join()).toContain('"v$(node -p');
  });

  it('publishes the client with provenance, from its public repository', () => {
    const { client } = jobs;
    expect(client?.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
    const { name, publishConfig } = JSON.parse(read('clients/typescript/package.json'));
    expect(publishConfig).toMatchObject({ provenance: true, access: 'public' });
    const script = runsOf(client).join('\n');
    expect(script).toContain('npm publish --workspace clients/typescript');
    expect(script).toContain(`"${name}@$version"`);
    expect(script).toContain('repository.url=git+https://github.com/$GITHUB_REPOSITORY.git');
    const version = /^ARG NODE_VERSION=(\d+)$/m.exec(read('Dockerfile'))?.[1];
    expect(withOf(client, 'actions/setup-node')?.['node-version']).toBe(Number(version));
  });
});
