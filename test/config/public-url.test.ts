import { Test } from '@nestjs/testing';
import { describe, expect, it } from 'vitest';
import { ConfigModule, EnvironmentModule } from '../../src/platform/config/config.module.js';
import { PublicUrl } from '../../src/platform/config/public-url.js';

/** The URL of a configuration, in an application that does not listen. */
async function publicUrlOf(variables: Record<string, string>): Promise<string> {
  const environment = EnvironmentModule.of({ EMBEDDED: 'true', ...variables });
  const module = await Test.createTestingModule({ imports: [environment, ConfigModule] }).compile();
  return module.get(PublicUrl).value;
}

describe('PUBLIC_URL', () => {
  it.each([
    ['https://status.example.com', 'https://status.example.com'],
    ['https://status.example.com/', 'https://status.example.com'],
    ['https://status.example.com//', 'https://status.example.com'],
    ['http://Status.Example:80', 'http://status.example'],
    ['https://example.com/our/status/', 'https://example.com/our/status'],
    ['https://example.com/"><script>', 'https://example.com/%22%3E%3Cscript%3E'],
    ['https://exämple.com', 'https://xn--exmple-cua.com'],
    ['http://[::1]:3000', 'http://[::1]:3000'],
  ])('becomes %s without a trailing slash', async (PUBLIC_URL, wanted) => {
    expect(await publicUrlOf({ PUBLIC_URL })).toBe(wanted);
  });

  it.each<Record<string, string>>([{}, { PUBLIC_URL: '' }])(
    'defaults to localhost with the port: %j',
    async (variables) => {
      expect(await publicUrlOf({ ...variables, PORT: '4321' })).toBe('http://localhost:4321');
    },
  );
});
