/** The tests of a directory of `src`. Others can also kill its mutants, but most of them take longer. */
const TESTS = {
  'platform/validation': [
    'test/validation/**',
    'test/server/{body,query,order-of-checks}.test.ts',
    'test/status-pages/{update,update-fields,update-settings}.test.ts',
    'test/nestjs-habits/*.test.ts',
    'test/{api-keys,reports,incidents}/create.test.ts',
    'test/imports/{gatus,statuspage-start}.test.ts',
    'test/openapi/{bounds,document,operations}.test.ts',
    'test/idempotency/{every-post,replay}.test.ts',
    'test/manage/{members,maintenances,page-branding,page-sections,floods}.test.ts',
    'test/branding/upload.test.ts',
    'test/public-page/subscribe/form.test.ts',
  ],
  'platform/problems': [
    'test/problems/**',
    'test/validation/**',
    'test/server/{body,query,malformed-requests,order-of-checks,methods}.test.ts',
    'test/auth/{authentication,scopes}.test.ts',
    'test/database/{faults,unavailable}.test.ts',
    'test/public-page/cache/outage.test.ts',
    'test/nestjs-habits/*.test.ts',
    'test/openapi/{bounds,document,operations}.test.ts',
  ],
  'platform/pagination': [
    'test/{status-pages,monitors,incidents,api-keys}/list*.test.ts',
    'test/server/query.test.ts',
    'test/openapi/{bounds,document,operations}.test.ts',
  ],
  'platform/auth': [
    'test/auth/**',
    'test/api-keys/{create,rotate,revoke}.test.ts',
    'test/events/commands.test.ts',
    'test/manage/keys.test.ts',
    'test/members/passwords.test.ts',
    'test/health/health.test.ts',
    'test/receivers/basic-authentication.test.ts',
    'test/server/{order-of-checks,rate-limit}.test.ts',
  ],
  'status-pages': [
    'test/status-pages/**',
    'test/preview-links/*.test.ts',
    'test/monitors/delete.test.ts',
    'test/incidents/{create,list,on-pages}.test.ts',
    'test/events/pages-and-monitors.test.ts',
    'test/resources/operations.test.ts',
    'test/subscribers/deleted-pages.test.ts',
    'test/domains/uniqueness.test.ts',
    'test/access/{links,rules}.test.ts',
    'test/public-page/former-slugs.test.ts',
    'test/public-page/subscribe/links.test.ts',
    'test/mail/warning.test.ts',
    'test/manage/now.test.ts',
    'test/cli/subscribers.test.ts',
    'test/openapi/{bounds,document,operations}.test.ts',
  ],
  'api-keys': [
    'test/api-keys/**',
    'test/auth/authentication.test.ts',
    'test/auth/{scopes,tenancy}.test.ts',
    'test/openapi/{bounds,document,operations}.test.ts',
  ],
};

const folders = Object.keys(TESTS).filter((name) =>
  process.argv.some((argument) => argument.includes(`src/${name}/`)),
);

// Not `testFiles`: StrykerJS activates a mutant too late for code that runs at import, if it is set.
process.env.MUTANTS_TESTS ??= (folders.length > 0 ? folders : Object.keys(TESTS))
  .flatMap((name) => TESTS[name])
  .join(' ');

const isStatic = process.env.STATIC === 'true';

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  mutate: Object.keys(TESTS).map((name) => `src/${name}/**/*.ts`),
  plugins: [import.meta.resolve('./runner.mjs')],
  testRunner: 'kept',
  vitest: { configFile: 'mutants/vitest.config.ts', related: false },
  coverageAnalysis: 'perTest',
  ignoreStatic: !isStatic,
  concurrency: 1,
  timeoutMS: 120_000,
  timeoutFactor: 4,
  dryRunTimeoutMinutes: 20,
  ignorePatterns: ['/clients/**/dist', '/bench', '/reports', '/data', '/mutants/node_modules'],
  tempDirName: '.stryker-tmp',
  reporters: ['json', 'progress-append-only', 'clear-text'],
  jsonReporter: {
    fileName: `reports/mutants/${[...folders, ...(isStatic ? ['static'] : [])].join('-').replaceAll('/', '-') || 'all'}.json`,
  },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false, reportScoreTable: true },
  allowConsoleColors: false,
};
