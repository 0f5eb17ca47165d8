import { describe, expect, it } from 'vitest';
import { expectProblem } from '../support/expectations.js';
import { URL_OF_TEST, useEndpoints } from './use-endpoints.js';

const { tenant, ask, createEndpoint } = useEndpoints();

describe('url', () => {
  it.each([
    ['HTTPS://Hooks.Example.COM:443/a/../b?x=1', 'https://hooks.example.com/b?x=1'],
    ['https://bücher.example/ä', 'https://xn--bcher-kva.example/%C3%A4'],
    ['https://hooks.example.com:8443', 'https://hooks.example.com:8443/'],
    ['https://hooks.example.com/a@b', 'https://hooks.example.com/a@b'],
  ])('%s is stored as the URL Standard serializes it', async (url, stored) => {
    const { id } = await createEndpoint({ url });
    expect((await ask('GET', `/${id}`)).body.data.url).toBe(stored);
    const before = (await ask('GET', `/${id}`)).headers.get('etag');
    expect((await ask('PATCH', `/${id}`, { url })).headers.get('etag')).toBe(before);
  });

  it.each([
    'http://hooks.example.com/',
    'ftp://hooks.example.com/',
    'https://user@hooks.example.com/',
    'https://user:password@hooks.example.com/',
    'https://@hooks.example.com/',
    'https://:@hooks.example.com/',
    'https://hooks.example.com/#fragment',
    'https://hooks.example.com/#',
    'https://',
    'https:hooks.example.com',
    'https:\\\\hooks.example.com/',
    'https://hooks.exa\nmple.com/',
    ' https://hooks.example.com/',
    'https://a.example:99999/',
    'https://[fe80::1%25eth0]/',
    '/status',
  ])('%j is rejected', async (url) => {
    const json = { project_id: tenant.project_id, url };
    const error = { code: 'invalid_format', pointer: '#/url' };
    expectProblem(await ask('POST', '', json), 400, 'validation_failed', error);
    const { id } = await createEndpoint();
    expectProblem(await ask('PATCH', `/${id}`, { url }), 400, 'validation_failed', error);
  });

  it('rejects more than 2,048 characters, as sent or as stored', async () => {
    const urlOf = (character: string, length: number) => `${URL_OF_TEST}/`.padEnd(length, character);
    expect((await createEndpoint({ url: urlOf('a', 2_048) })).url).toHaveLength(2_048);
    const error = { code: 'too_long', pointer: '#/url' };
    for (const url of [urlOf('a', 2_049), urlOf('ä', 2_048)])
      expectProblem(
        await ask('POST', '', { project_id: tenant.project_id, url }),
        400,
        'validation_failed',
        error,
      );
  });
});

describe('an address in the url', () => {
  it.each(['https://8.8.8.8/', 'https://[2606:4700::1111]/', 'https://10.0.0.1.example/'])(
    '%s is accepted',
    async (url) => {
      expect((await createEndpoint({ url })).url).toBe(url);
    },
  );

  it.each([
    'https://10.0.0.1/',
    'https://127.0.0.1:8443/',
    'https://169.254.169.254/latest/meta-data',
    'https://0.0.0.0/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://[64:ff9b::10.0.0.1]/',
    'https://[fd00::1]/',
  ])('%s is rejected', async (url) => {
    const error = {
      code: 'invalid_format',
      pointer: '#/url',
      detail: 'must not contain an address that is not public, except for WEBHOOK_ALLOWED_NETWORKS',
    };
    const json = { project_id: tenant.project_id, url };
    expectProblem(await ask('POST', '', json), 400, 'validation_failed', error);
    const { id } = await createEndpoint();
    expectProblem(await ask('PATCH', `/${id}`, { url }), 400, 'validation_failed', error);
  });
});
