import { DomainDirectory } from '../../src/domains/domain-directory.js';
import type { Tenant, TestServer } from '../support/server.js';

/** Verified domains of a test server. */
export function domainsOf(server: TestServer) {
  const directory = (): DomainDirectory => server.app.get(DomainDirectory, { strict: false });

  /** Makes the process read the changes that are committed now. */
  async function refresh(): Promise<void> {
    await directory().refresh(); // can have begun before
    await directory().refresh();
  }

  /** Sets columns of a page's claim. */
  async function set(page_id: string, columns: string): Promise<void> {
    await server.sql(`UPDATE status_page_domains SET ${columns} WHERE status_page_id = $1`, [page_id]);
    await refresh();
  }

  return {
    directory,
    refresh,
    set,
    /** Makes the domain of a page verified, as if its record had been found. */
    verify: (page_id: string) =>
      set(
        page_id,
        `status = 'verified', verified_at = now(), checked_at = now(), next_check_at = now() + interval '1 day'`,
      ),
    /** Creates a page with a verified domain. */
    page: async (
      tenant: Tenant,
      custom_domain: string,
      fields: object = {},
    ): ReturnType<TestServer['page']> => {
      const page = await server.page(tenant, { ...fields, custom_domain });
      await set(
        page.id,
        `status = 'verified', verified_at = now(), next_check_at = now() + interval '1 day'`,
      );
      return page;
    },
  };
}
