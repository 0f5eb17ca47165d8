import { Client } from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { onPostgres } from '../support/database.js';
import { expectProblem } from '../support/expectations.js';
import { TestServer, until } from '../support/server.js';
import { useIdempotency } from './use-idempotency.js';

const { server, tenant, newKey, post, replayed } = useIdempotency();

const projectsNamed = async (name: string): Promise<number> => {
  const rows = await server.sql<{ id: string }[]>(
    `SELECT id FROM projects WHERE organization_id = $1 AND name = $2`,
    [tenant.organization_id, name],
  );
  return rows.length;
};

describe('concurrent POST requests with the same Idempotency-Key', () => {
  it('create one resource; the others get 409 or the first response', async () => {
    for (const name of Array.from({ length: 5 }, newKey)) {
      const key = newKey();
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => post('/v1/projects', { name }, key)),
      );
      const made = answers.filter(({ status }) => status === 201);
      expect(new Set(made.map(({ text }) => text)).size).toBe(1);
      expect(made.filter((answer) => replayed(answer) === null)).toHaveLength(1);
      for (const answer of answers.filter(({ status }) => status !== 201)) {
        expectProblem(answer, 409, 'idempotency_key_in_use');
        expect(answer.headers.get('retry-after')).toBe('1');
      }
      expect(await projectsNamed(name)).toBe(1);
      const later = await post('/v1/projects', { name }, key);
      expect([later.text, replayed(later)]).toEqual([made[0]?.text, 'true']);
    }
  });

  it('create one resource across several processes', { tags: ['postgres'] }, async () => {
    const second = await TestServer.start(server.databaseEnv);
    const send = (url: string, name: string, key: string) =>
      fetch(`${url}/v1/projects`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${tenant.key}`,
          'Content-Type': 'application/json',
          'Idempotency-Key': key,
        },
        body: JSON.stringify({ name }),
      });
    try {
      for (const name of Array.from({ length: 10 }, newKey)) {
        const key = newKey();
        const urls = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? server.url : second.url));
        const answers = await Promise.all(urls.map((url) => send(url, name, key)));
        expect(answers.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
        expect(await projectsNamed(name)).toBe(1);
        const later = await Promise.all([send(server.url, name, key), send(second.url, name, key)]);
        const texts = await Promise.all(later.map((answer) => answer.text()));
        expect(later.map(({ status }) => status)).toEqual([201, 201]);
        expect(texts[0]).toBe(texts[1]);
      }
    } finally {
      await second.stop();
    }
  });

  it('get 409 while another process handles the first', { tags: ['postgres'] }, async () => {
    const key = newKey();
    const other = new Client(server.databaseEnv['DATABASE_URL']);
    await other.connect();
    try {
      await other.query('BEGIN');
      await other.query(`SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, [
        `idempotency ${tenant.key_id} ${key}`,
      ]);
      expectProblem(await post('/v1/projects', { name: key }, key), 409, 'idempotency_key_in_use');
      expect(await projectsNamed(key)).toBe(0);
      await other.query('ROLLBACK');
      expect((await post('/v1/projects', { name: key }, key)).status).toBe(201);
    } finally {
      await other.end();
    }
  });
});

describe(
  'POST request during which another process stores a response for the same Idempotency-Key',
  { tags: ['postgres'] },
  () => {
    const blocked = async () => {
      const rows = await server.sql<{ count: string }[]>(
        `SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'projects'::regclass`,
      );
      return rows[0]?.count !== '0';
    };

    /** Sends a POST that waits for a lock on the projects, while another process stores a response to it. */
    async function overtaken(mode: string, path: string, json: object) {
      const key = newKey();
      const other = new Client(server.databaseEnv['DATABASE_URL']);
      await other.connect();
      try {
        await other.query(`BEGIN; LOCK TABLE projects IN ${mode} MODE`);
        const answer = post(path, json, key);
        expect(await until(blocked)).toBe(true);
        await server.sql(
          `INSERT INTO idempotency_keys (organization_id, api_key_id, key, fingerprint, status, headers, body)
         VALUES ($1, $2, $3, '', 201, '{}', '')`,
          [tenant.organization_id, tenant.key_id, key],
        );
        await other.query('COMMIT');
        return await answer;
      } finally {
        await other.end();
      }
    }

    it('creates nothing and returns 409 with Retry-After', async () => {
      const name = newKey();
      const answer = await overtaken('SHARE', '/v1/projects', { name });
      expectProblem(answer, 409, 'idempotency_key_in_use');
      expect(answer.headers.get('retry-after')).toBe('1');
      expect(await projectsNamed(name)).toBe(0);
    });

    it('returns 409 with Retry-After instead of an error caused by the other', async () => {
      const page = { name: 'Page', project_id: newKey() };
      expectProblem(
        await overtaken('ACCESS EXCLUSIVE', '/v1/status-pages', page),
        409,
        'idempotency_key_in_use',
      );
    });
  },
);

describe('changes of a POST with an Idempotency-Key', () => {
  afterEach(async () => {
    await server.sql(`DROP TRIGGER IF EXISTS failing ON idempotency_keys`);
    await server.sql(`DROP FUNCTION IF EXISTS fail_for_test`);
  });

  it('commit together with its response', async () => {
    await server.sql(
      `CREATE FUNCTION fail_for_test() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no' USING ERRCODE = '53100'; END $$`,
    );
    await server.sql(
      `CREATE TRIGGER failing BEFORE INSERT ON idempotency_keys FOR EACH ROW EXECUTE FUNCTION fail_for_test()`,
    );
    const [name, key] = [newKey(), newKey()];
    expectProblem(await post('/v1/projects', { name }, key), 503, 'unavailable');
    const [monitor_id] = await server.monitors(tenant, 1);
    const reports = [{ monitor_id, status: 'major_outage' }];
    const report = () => post('/v1/monitor-reports', { project_id: tenant.project_id, reports }, `${key}-2`);
    expectProblem(await report(), 503, 'unavailable');
    expect(await projectsNamed(name)).toBe(0);
    expect(await server.sql(`SELECT FROM monitor_runs WHERE monitor_id = $1`, [monitor_id])).toEqual([]);
    await server.sql(`DROP TRIGGER failing ON idempotency_keys`);
    const answers = [await post('/v1/projects', { name }, key), await report()];
    expect(answers.map((answer) => [answer.status, replayed(answer)])).toEqual([
      [201, null],
      [200, null],
    ]);
    expect(await projectsNamed(name)).toBe(1);
  });

  it('roll back on an error without affecting the connection', async () => {
    const [monitor = ''] = await server.monitors(tenant, 1);
    const wrong = {
      monitor_ids: [monitor, newKey()],
      title: 'Title',
      body: 'Body',
      project_id: tenant.project_id,
    };
    for (let round = 0; round < 15; round++) {
      const answer = await post('/v1/incidents', { ...wrong, monitors: [] }, newKey());
      expect(answer.status).toBe(400);
    }
    expect((await post('/v1/projects', { name: 'After' }, newKey())).status).toBe(201);
    const idle = async () => {
      const rows = await server.sql<{ count: string }[]>(
        `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
      );
      return rows[0]?.count === '0';
    };
    if (onPostgres) expect(await until(idle)).toBe(true);
  });
});
