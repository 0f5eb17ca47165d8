import { describe, expect, it } from 'vitest';
import { read } from './deployment-files.js';

const nginx = ['deploy/nginx/status-pages.conf', 'deploy/nginx/customer-domain.conf'];

describe('configurations of proxies for the domains of status pages', () => {
  it.each(nginx)('%s has the host in the key of its cache, and forwards it', (path) => {
    const text = read(path);
    const keys = [...text.matchAll(/^ *proxy_cache_key (.*);$/gm)].map(([, key]) => key);
    expect(keys).toEqual(['$host$request_uri']);
    const hosts = [...text.matchAll(/^ *proxy_set_header Host (.*);$/gm)].map(([, host]) => host);
    expect(new Set(hosts)).toEqual(new Set(['$host']));
  });

  it('differ between the domains and PUBLIC_URL only where necessary', () => {
    const [main = '', domain = ''] = nginx.map((path) => read(path));
    const settings = (text: string) =>
      [...text.matchAll(/^ {2}(proxy_(?!next)\w+|ssl_protocols|server_tokens|access_log) (.*);/gm)].map(
        ([, name, value]) => `${name} ${value}`,
      );
    const [server = ''] = main.split('\nserver {\n  listen 80;');
    expect(settings(domain)).toEqual(settings(server));
  });

  it('ask the admin port in the documents', () => {
    const [, port = ''] =
      /ask http:\/\/127\.0\.0\.1:(\d+)\/tls\/ask/.exec(read('deploy/caddy/Caddyfile')) ?? [];
    expect(read('.env.example')).toContain(`\n# ADMIN_PORT=${port}\n`);
    expect(read('docs/domains.md')).toContain(`ADMIN_PORT=${port} `);
    expect(read('docs/domains.md')).toContain(`http://127.0.0.1:${port}/tls/ask?domain=`);
  });
});
