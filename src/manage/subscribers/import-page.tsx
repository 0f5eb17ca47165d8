import type { ImportSummary } from '../../subscribers/subscriber-import.js';
import type { CsvContents, CsvFault } from '../../subscribers/subscribers-csv.js';
import { Check, Summary, TextArea, Token } from '../fields.js';
import { screen } from '../frame.js';
import type { OwnPage } from '../project-contents.js';
import type { Reply } from '../reply.js';
import { Crumb, FormKeys } from '../resource-form.js';
import type { Visit } from '../visit.js';
import { WORDS } from '../words.js';

const { subscribers: words } = WORDS;

const PATH = '/manage/subscribers';

/** Number of wrong lines that a screen shows. */
const MAX_FAULTS = 20;

interface Values {
  page: OwnPage;
  csv: string;
  confirmed: boolean;
}

/** Renders the form of an import, with its wrong lines. */
export function renderImport(
  visit: Visit,
  { page, csv, confirmed, error, faults = [] }: Values & { error?: string; faults?: CsvFault[] },
): Reply {
  const isWrong = error !== undefined || faults.length > 0;
  return screen({
    title: words.import_title,
    visit,
    status: isWrong ? 400 : 200,
    children: (
      <>
        <Crumb path={`${PATH}?page=${page.id}`} text={words.title} />
        <h1>{words.import_title}</h1>
        <p class="quiet">
          <bdi>{page.name}</bdi>
        </p>
        <form class="form" method="post" action={`${PATH}/import`}>
          <Token visit={visit} />
          <input type="hidden" name="page" value={page.id} />
          <Summary text={faults.length > 0 ? words.faults(faults.length) : undefined} />
          {faults.length > 0 && (
            <ul>
              {faults.slice(0, MAX_FAULTS).map(({ line, detail }) => (
                <li>{words.fault(line, detail)}</li>
              ))}
              {faults.length > MAX_FAULTS && <li>{words.more_faults(faults.length - MAX_FAULTS)}</li>}
            </ul>
          )}
          <TextArea
            name="csv"
            label={words.csv}
            hint={words.csv_hint}
            rows={10}
            value={csv}
            errors={error === undefined ? undefined : { csv: error }}
          />
          <Check name="confirmed" label={words.all_confirmed} checked={confirmed} />
          <div class="actions">
            <button class="button" type="submit" name="step" value="review">
              {words.check}
            </button>
            <p class="quiet">{words.check_hint}</p>
          </div>
        </form>
      </>
    ),
  });
}

/** Renders what an import does, before it happens. */
export function renderReport(
  visit: Visit,
  { page, csv, confirmed, summary, contents }: Values & { summary: ImportSummary; contents: CsvContents },
): Reply {
  const { repeated, not_active, quarantined, other_types, ignored_columns } = contents;
  const lines = [
    summary.existing > 0 && words.existing(summary.existing),
    summary.erased > 0 && words.erased(summary.erased),
    repeated > 0 && words.repeated(repeated),
    not_active + quarantined > 0 && words.not_active(not_active + quarantined),
    other_types > 0 && words.other_types(other_types),
    ignored_columns.length > 0 && words.ignored(ignored_columns.slice(0, 10).join(', ').slice(0, 300)),
  ].filter((line) => line !== false);
  return screen({
    title: words.report,
    visit,
    children: (
      <>
        <Crumb path={`${PATH}?page=${page.id}`} text={words.title} />
        <h1>{words.report}</h1>
        <p>{words.report_text}</p>
        <p>
          <strong>{words.created(summary.created)}</strong> · {confirmed ? words.no_mail : words.get_mail}
        </p>
        <ul>
          {lines.map((line) => (
            <li>{line}</li>
          ))}
        </ul>
        <form class="form" method="post" action={`${PATH}/import`}>
          <FormKeys visit={visit} />
          <input type="hidden" name="page" value={page.id} />
          <input type="hidden" name="csv" value={csv} />
          {confirmed && <input type="hidden" name="confirmed" value="on" />}
          <div class="actions">
            <button class="button" type="submit" name="step" value="publish">
              {words.import}
            </button>
            <button class="button plain" type="submit" name="step" value="change">
              {WORDS.review.change}
            </button>
          </div>
        </form>
      </>
    ),
  });
}
