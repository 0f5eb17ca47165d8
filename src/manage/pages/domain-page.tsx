import { PickType } from '@nestjs/swagger';
import type { StatusPageDomainDto } from '../../domains/dto/status-page-domain.dto.js';
import { UpdateStatusPageSettingsDto } from '../../status-pages/dto/update-status-page-settings.dto.js';
import { SubmitButton } from '../buttons.js';
import type { Errors, Labels } from '../errors-of-fields.js';
import { Summary, TextField, Token } from '../fields.js';
import type { Reply } from '../reply.js';
import { dateOf } from '../times.js';
import { may, type Visit } from '../visit.js';
import { WORDS } from '../words.js';
import { Facts, Hidden, pageScreen, pathOf, SaveButton } from './page-frame.js';
import type { ReadPage } from './page-reader.js';

const { page: pageWords } = WORDS;
const words = pageWords.domain;

/** The field of a page that the form changes. */
export class PageDomainDto extends PickType(UpdateStatusPageSettingsDto, ['custom_domain']) {}

export const DOMAIN_LABELS: Labels = { custom_domain: words.domain };

/** A page with the state of its domain, if it has one. */
export interface ReadDomain extends ReadPage {
  domain: StatusPageDomainDto | undefined;
}

interface DomainPage {
  /** Value of the field. */
  value: string;
  errors?: Errors | undefined;
  /** Another member has changed the page, which `ReadDomain` contains. */
  conflict?: { author: string | undefined };
}

/** Renders the domain of a page with what is missing, as a form for members who may change it. */
export function renderDomain(visit: Visit, read: ReadDomain, { value, errors, conflict }: DomainPage): Reply {
  const { page, domain } = read;
  const mayWrite = may(visit, 'status_pages:write');
  const current = page.custom_domain ?? '';
  return pageScreen(visit, read, {
    tab: 'domain',
    saved: savedText(domain),
    ...((errors ?? conflict) && { status: errors ? 400 : 409 }),
    children: (
      <>
        {mayWrite && (
          <form class="form" method="post" action={pathOf(page, 'domain')}>
            <Hidden visit={visit} version={page.updated_at} />
            <Summary text={errors?.['form'] ?? (conflict && pageWords.changed(conflict.author))} />
            <TextField
              name="custom_domain"
              label={words.domain}
              hint={words.hint}
              value={value}
              errors={errors}
              {...(conflict && value !== current && { theirs: current || pageWords.none })}
            />
            <SaveButton />
          </form>
        )}
        {domain ? <State visit={visit} read={read} domain={domain} /> : !mayWrite && <p>{words.none}</p>}
      </>
    ),
  });
}

/** Returns the confirmation of a saved form. A domain does not lead visitors to the page before it is proved. */
function savedText(domain: StatusPageDomainDto | undefined): string {
  if (!domain) return words.saved_none;
  return domain.status === 'verified' ? pageWords.saved : words.saved_unproved;
}

function State({
  visit,
  read: { page },
  domain,
}: {
  visit: Visit;
  read: ReadPage;
  domain: StatusPageDomainDto;
}) {
  const { status, record, found, error, routing, checked_at } = domain;
  const isMissing = error === null && !found?.includes(record.value);
  return (
    <section>
      <h2>
        <bdi>{domain.domain}</bdi>
      </h2>
      <p>{words.status[status]}</p>
      <h3>{words.record}</h3>
      <Facts
        facts={[
          [words.type, record.type],
          [words.name, record.name],
          [words.value, record.value],
        ]}
      />
      {checked_at ? (
        <p>
          {words.checked(dateOf(checked_at))}{' '}
          {error ?? (isMissing ? words.missing(found ?? []) : words.there)}
        </p>
      ) : (
        <p>{words.unchecked}</p>
      )}
      {routing && (
        <p>{routing.reaches_us ? words.reaches : words.elsewhere(routing.addresses, routing.error)}</p>
      )}
      {may(visit, 'status_pages:write') && (
        <form method="post" action={`${pathOf(page, 'domain')}/check`}>
          <Token visit={visit} />
          <SubmitButton text={words.check} isPlain />
        </form>
      )}
    </section>
  );
}
