import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Actor } from '../platform/auth/actor.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { PageLookupService } from '../status-pages/page-lookup.service.js';
import type { ProjectRef } from '../projects/project-ref.js';
import { type Added, type NewSubscriber, SubscriberCreation } from './subscriber-creation.js';
import { ComponentNames } from './component-names.js';
import type { CsvFault, CsvSubscriber } from './subscribers-csv.js';

const ADDED_AT_ONCE = 1_000;

/** Numbers of addresses by what has become of them. */
export type ImportSummary = Record<Added['result'], number>;

/** Rolls back a dry run. */
class DryRun extends Error {}

/** Imports subscribers from files. */
@Injectable()
export class SubscriberImport {
  constructor(
    private readonly dataSource: DataSource,
    private readonly creation: SubscriberCreation,
    private readonly monitors: MonitorsService,
    private readonly pageLookup: PageLookupService,
  ) {}

  /**
   * Adds subscribers to a page, all or none. Existing and erased addresses do not change, and get no mail.
   * @param confirmed whether their owners have consented; otherwise, they get a confirmation
   * @returns the summary, or the lines with unknown components
   */
  async run(
    actor: Actor,
    page: ProjectRef & { id: string },
    subscribers: CsvSubscriber[],
    { confirmed, dry_run }: { confirmed: boolean; dry_run: boolean },
  ): Promise<ImportSummary | CsvFault[]> {
    const summary: ImportSummary = { created: 0, existing: 0, erased: 0 };
    const faults: CsvFault[] = [];
    const addition = { source: 'import', confirmed, confirmed_by: null } as const;
    // Before the transaction, which PostgreSQL ends if it is idle for three seconds. It checks the monitors again.
    const wanted = await this.withMonitors(page, subscribers, faults);
    if (faults.length > 0) return faults;
    await this.dataSource
      .transaction(async (manager) => {
        const emails = wanted.map(({ email }) => email);
        await this.creation.requireRoom({ ...page, status_page_id: page.id }, emails, manager);
        for (let first = 0; first < wanted.length; first += ADDED_AT_ONCE) {
          const some = wanted.slice(first, first + ADDED_AT_ONCE);
          for (const { result } of await this.creation.addIn(actor, page.id, some, addition, manager))
            summary[result]++;
        }
        if (dry_run) throw new DryRun();
      })
      .catch((error: unknown) => {
        if (!(error instanceof DryRun)) throw error;
      });
    return summary;
  }

  /** Replaces the names of components by the monitors of the page with these names. */
  private async withMonitors(
    page: ProjectRef & { id: string },
    subscribers: CsvSubscriber[],
    faults: CsvFault[],
  ): Promise<NewSubscriber[]> {
    const { manager } = this.dataSource;
    const ids = await this.pageLookup.monitorIdsOf(page, page.id, manager);
    const names = new ComponentNames(await this.monitors.namesOf(page, ids, manager));
    return subscribers.map(({ email, components, line }) => {
      const found = names.idsIn(components);
      if (!found) faults.push({ line, detail: 'names a component that the status page does not show' });
      return { email, monitor_ids: found?.length ? found : null };
    });
  }
}
