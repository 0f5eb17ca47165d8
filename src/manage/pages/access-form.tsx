import type { AccessDto } from '../../access/dto/access.dto.js';
import { ReplaceAccessDto } from '../../access/dto/replace-access.dto.js';
import { check, type Checked, type Errors, type Labels } from '../errors-of-fields.js';
import { Check, Summary, TextArea, TextField } from '../fields.js';
import { textIn } from '../incident-form.js';
import { LinkRow } from '../link-row.js';
import type { Reply } from '../reply.js';
import type { Visit } from '../visit.js';
import { WORDS } from '../words.js';
import { itemsIn, withItems } from './item-lists.js';
import { Hidden, pageScreen, pathOf, SaveButton } from './page-frame.js';
import type { ReadPage } from './page-reader.js';

const { page: pageWords, page_access: further, errors: errorWords } = WORDS;
const words = pageWords.access;

/** Lists of the rules, in display order. */
const LISTS = ['emails', 'email_domains', 'networks'] as const;

/** Labels of the rules. */
export const ACCESS_LABELS: Labels = {
  password: words.password,
  emails: words.emails,
  email_domains: words.email_domains,
  networks: words.networks,
};

/** A page with the rules of who may see it. */
export interface ReadAccess extends ReadPage {
  access: AccessDto;
}

/**
 * Values in the form. A list has one item in each line. No response contains a password. `password`: null in a form that was kept
 * without it.
 */
export type AccessValues = Record<(typeof LISTS)[number], string> & {
  password: string | null;
  removes_password: boolean;
};

/** Returns the values of a sent form. */
export function accessIn(sent: URLSearchParams): AccessValues {
  return {
    password: sent.get('password'),
    removes_password: sent.get('removes_password') === 'on',
    emails: textIn(sent, 'emails'),
    email_domains: textIn(sent, 'email_domains'),
    networks: textIn(sent, 'networks'),
  };
}

/** Returns the values of stored rules. */
export function accessOf({ emails, email_domains, networks }: AccessDto): AccessValues {
  return {
    password: '',
    removes_password: false,
    emails: emails.join('\n'),
    email_domains: email_domains.join('\n'),
    networks: networks.join('\n'),
  };
}

/** Validates the values by the DTO of the API. Keeps the provider of OpenID Connect, which the form does not change. */
export function toAccess(values: AccessValues, { oidc }: AccessDto): Checked<ReplaceAccessDto> {
  const { password, removes_password } = values;
  if (password === null) {
    const form = errorWords.summary_of([words.password]);
    return { errors: { password: further.password_not_kept, form } };
  }
  const lists = Object.fromEntries(LISTS.map((name) => [name, itemsIn(values[name])]));
  const sent = {
    ...lists,
    ...((password !== '' || removes_password) && { password: password || null }),
    oidc: oidc && { issuer: oidc.issuer, client_id: oidc.client_id, email_domains: oidc.email_domains },
  };
  const checked = check(ReplaceAccessDto, sent, ACCESS_LABELS);
  return checked.errors
    ? { errors: withItems(checked.errors, listsOf(values), ReplaceAccessDto, ACCESS_LABELS) }
    : checked;
}

/** Returns the lists of the rules. */
export function listsOf<List>({ emails, email_domains, networks }: Record<(typeof LISTS)[number], List>) {
  return { emails, email_domains, networks };
}

interface AccessPage {
  values: AccessValues;
  canMail: boolean;
  errors?: Errors | undefined;
  /** Another member has changed the rules, which `ReadAccess` contains. */
  conflict?: { author: string | undefined };
}

/** Renders the rules of who may see a page, as a form. */
export function renderAccess(visit: Visit, read: ReadAccess, shown: AccessPage): Reply {
  const { errors, conflict, values, canMail } = shown;
  const { page, access } = read;
  const current = accessOf(access);
  const list = (name: (typeof LISTS)[number]) => ({
    name,
    label: ACCESS_LABELS[name] ?? '',
    value: values[name],
    errors,
    ...(conflict && values[name] !== current[name] && { theirs: current[name] || pageWords.none }),
  });
  return pageScreen(visit, read, {
    tab: 'access',
    ...((errors ?? conflict) && { status: errors ? 400 : 409 }),
    children: (
      <>
        <form class="form" method="post" action={pathOf(page, 'access')}>
          <Hidden visit={visit} version={access.updated_at} />
          <Summary text={errors?.['form'] ?? (conflict && pageWords.changed(conflict.author))} />
          <p>{page.is_public ? words.public_page : words.private_page}</p>
          <TextField
            name="password"
            label={access.has_password ? words.new_password : words.password}
            hint={access.has_password ? words.has_password : words.password_hint}
            type="password"
            autocomplete="new-password"
            errors={errors}
          />
          {access.has_password && (
            <Check name="removes_password" label={words.remove_password} checked={values.removes_password} />
          )}
          <TextArea {...list('emails')} hint={canMail ? words.emails_hint : words.no_mail} />
          <TextArea {...list('email_domains')} hint={words.email_domains_hint} rows={2} />
          <TextArea {...list('networks')} hint={words.networks_hint} rows={2} />
          <p class="quiet">{words.ends_sessions}</p>
          <SaveButton />
        </form>
        <FurtherWays read={read} />
      </>
    ),
  });
}

/** Renders links to the screens of the other ways into a page. */
function FurtherWays({ read: { page, access } }: { read: ReadAccess }) {
  const ways = [
    { path: 'oidc', title: further.oidc.title, text: access.oidc?.issuer ?? further.oidc.unset },
    { path: 'links', title: further.links.title, text: further.links.text },
  ];
  return (
    <section>
      <h2>{further.title}</h2>
      <ul class="rows">
        {ways.map(({ path, title, text }) => (
          <LinkRow path={`${pathOf(page, 'access')}/${path}`}>
            <span class="what">{title}</span>
            <bdi class="quiet">{text}</bdi>
          </LinkRow>
        ))}
      </ul>
    </section>
  );
}
