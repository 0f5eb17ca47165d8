import { Controller } from '@nestjs/common';
import { PageLookupService } from '../../status-pages/page-lookup.service.js';
import { type ImportSummary, SubscriberImport } from '../../subscribers/subscriber-import.js';
import { readSubscribersCsv } from '../../subscribers/subscribers-csv.js';
import { textIn } from '../incident-form.js';
import { type OwnPage, ProjectContents } from '../project-contents.js';
import { Publishing } from '../publishing.js';
import { goTo, type Reply } from '../reply.js';
import { Form, Screen } from '../routes.js';
import { type Visit, Visiting } from '../visit.js';
import { WORDS } from '../words.js';
import { renderImport, renderReport } from './import-page.js';

const { subscribers: words } = WORDS;

/** Imports subscribers from a pasted CSV file, by the service of the command line. */
@Controller('manage/subscribers/import')
export class SubscriberImportController {
  constructor(
    private readonly imports: SubscriberImport,
    private readonly pages: PageLookupService,
    private readonly contents: ProjectContents,
    private readonly publishing: Publishing,
  ) {}

  @Screen('', 'subscribers:write')
  async show(@Visiting() visit: Visit): Promise<Reply> {
    const page = await this.contents.page(visit.actor, visit.query.get('page') ?? '');
    return renderImport(visit, { page, csv: '', confirmed: false });
  }

  /** Reports what an import would do. The step `publish` imports once. */
  @Form('', 'subscribers:write')
  async send(@Visiting() visit: Visit): Promise<Reply> {
    const { actor, sent } = visit;
    const page = await this.contents.page(actor, sent.get('page') ?? '');
    const values = { page, csv: textIn(sent, 'csv'), confirmed: sent.get('confirmed') === 'on' };
    if (sent.get('step') === 'change') return renderImport(visit, values);
    if (values.csv === '') return renderImport(visit, { ...values, error: words.csv_missing });
    const contents = readSubscribersCsv(Buffer.from(values.csv));
    if (contents.faults.length > 0) return renderImport(visit, { ...values, faults: contents.faults });
    const run = (dry_run: boolean) => this.run(visit, page, contents, values.confirmed, dry_run);
    if (sent.get('step') === 'publish')
      return this.publishing.once(visit, async () => {
        const found = await run(false);
        if (Array.isArray(found)) return renderImport(visit, { ...values, faults: found });
        return goTo(`/manage/subscribers?page=${page.id}&imported=${found.created}`);
      });
    const found = await run(true);
    if (Array.isArray(found)) return renderImport(visit, { ...values, faults: found });
    return renderReport(visit, { ...values, summary: found, contents });
  }

  private async run(
    { actor }: Visit,
    { id }: OwnPage,
    { subscribers }: ReturnType<typeof readSubscribersCsv>,
    confirmed: boolean,
    dry_run: boolean,
  ): Promise<ImportSummary | Exclude<Awaited<ReturnType<SubscriberImport['run']>>, ImportSummary>> {
    const { organization_id, project_id } = await this.pages.head(actor, id);
    return this.imports.run(actor, { organization_id, project_id, id }, subscribers, { confirmed, dry_run });
  }
}
