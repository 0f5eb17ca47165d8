import { describe, expect, it } from 'vitest';
import { ROLES, scopesOf } from '../../src/members/roles.js';
import { SCOPES } from '../../src/platform/auth/scopes.js';

describe('role', () => {
  it.each([
    ['viewer', SCOPES.filter((scope) => scope.endsWith(':read'))],
    ['responder', ['incidents:write', 'maintenances:write', 'monitor_reports:write']],
    ['editor', ['monitors:write', 'status_pages:write', 'subscribers:write']],
    ['admin', ['api_keys:write', 'members:write', 'projects:write', 'webhooks:write']],
  ] as const)('%s has the scopes of the role before, and its own', (role, own) => {
    const former = ROLES[ROLES.indexOf(role) - 1];
    const inherited = former ? scopesOf(former) : [];
    expect(scopesOf(role).toSorted()).toEqual([...inherited, ...own].toSorted());
  });

  it('admin has every scope', () => {
    expect(scopesOf('admin').toSorted()).toEqual(SCOPES.toSorted());
  });
});
