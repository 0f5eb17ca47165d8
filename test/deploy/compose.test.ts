import { describe, expect, it } from 'vitest';
import { FILE_SUFFIX } from '../../src/platform/config/secret-files.js';
import { compose, imageVariables, read, service } from './deployment-files.js';

describe('compose.yaml', () => {
  it("publishes the image's port only on this machine and mounts existing files", () => {
    expect(service.ports).toEqual([`127.0.0.1:3000:${imageVariables['PORT']}`]);
    for (const { environment = {}, secrets = [] } of Object.values(compose.services)) {
      const files = Object.entries(environment).filter(([name]) => name.endsWith(FILE_SUFFIX));
      for (const [, path] of files.filter(([, one]) => one !== null))
        expect(secrets.map((name) => `/run/secrets/${name}`)).toContain(path);
      for (const name of secrets) expect(compose.secrets).toHaveProperty(name, { file: `./secrets/${name}` });
    }
    expect(read('.gitignore')).toMatch(/^\/secrets\/$/m);
  });
});

describe('compose.yaml', () => {
  it('passes the home page and the mail server from .env, and leaves them unset otherwise', () => {
    expect(service.environment).toMatchObject({ HOME_PAGE: null, SMTP_URL_FILE: null, MAIL_FROM: null });
    expect(service.secrets).toContain('smtp_url');
  });
});

describe('each container of compose.yaml', () => {
  const services = Object.entries(compose.services);

  it.each(services)('runs without privileges and writes only to its volumes: %s', (_name, one) => {
    expect(one).toMatchObject({
      read_only: true,
      tmpfs: expect.any(Array),
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
  });

  it('runs as a user other than root and stores its data in a volume', () => {
    // The image of the service declares its own.
    expect(services.map(([name, { user }]) => [name, user])).toEqual([
      ['status-pages', undefined],
      ['postgres', 'postgres'],
      ['redis', 'redis'],
    ]);
    expect(service.volumes).toEqual([`data:${imageVariables['DATA_DIR']}`]);
    expect(service.tmpfs).toEqual(['/tmp']);
    expect(compose.services['postgres']?.volumes).toEqual(['postgres:/var/lib/postgresql/data']);
    expect(Object.keys(compose.volumes)).toEqual(['data', 'postgres']);
  });

  it('accepts connections only from the service, which waits for it', () => {
    expect(compose.networks['backend']).toEqual({ internal: true });
    for (const [name, { networks, healthcheck, ports }] of services) {
      expect([name, networks]).toEqual([
        name,
        name === 'status-pages' ? ['frontend', 'backend'] : ['backend'],
      ]);
      expect([name, ports]).toEqual([name, name === 'status-pages' ? expect.any(Array) : undefined]);
      expect(healthcheck?.test[0]).toBe('CMD');
    }
    expect(service.depends_on).toEqual({
      postgres: { condition: 'service_healthy' },
      redis: { condition: 'service_healthy' },
    });
    const check = ['CMD', '/nodejs/bin/node', 'bin/health-check.mjs', '/health/ready'];
    expect(service.healthcheck?.test).toEqual(check);
  });
});
