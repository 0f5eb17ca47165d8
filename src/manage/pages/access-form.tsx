import type { AccessDto } from '../../access/dto/access.dto.js';
import { ReplaceAccessDto } from '../../access/dto/replace-access.dto.js';
import { check, type Checked, type Errors, type Labels } from '../errors-of-fields.js';
import { Check, Summary, TextArea, TextField } from '../fields.js';
import { textIn } from '../incident-form.js';
import type { Reply } from '../reply.js';
import type { Visit } from '../visit.js';
import { WORDS } from '../words.js';
import { Facts, Hidden, pageScreen, pathOf, SaveButton } from './page-frame.js';
import type { ReadPage } from './page-reader.js';

const { page: pageWords } = WORDS;
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

/** Values in the form. A list has one item in each line. No response contains a password. */
export type AccessValues = Record<(typeof LISTS)[number], string> & {
  password: string;
  removes_password: boolean;
};

/** Returns the values of a sent form. */
export function accessIn(sent: URLSearchParams): AccessValues {
  return {
    password: sent.get('password') ?? '',
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
  const lists = Object.fromEntries(LISTS.map((name) => [name, itemsIn(values[name])]));
  const sent = {
    ...lists,
    ...((password !== '' || removes_password) && { password: password || null }),
    oidc: oidc && { issuer: oidc.issuer, client_id: oidc.client_id, email_domains: oidc.email_domains },
  };
  const checked = check(ReplaceAccessDto, sent, ACCESS_LABELS);
  return checked.errors ? { errors: withItems(checked.errors, values) } : checked;
}

/** Returns the items of a list, which lines, spaces or commas separate. */
function itemsIn(text: string): string[] {
  return [...new Set(text.split(/[\s,;]+/).filter((item) => item !== ''))];
}

/** Adds the first wrong item to the error of each list. */
function withItems(errors: Errors, values: AccessValues): Errors {
  const isWrong = (name: string) => (item: string) =>
    check(ReplaceAccessDto, { [name]: [item] }, ACCESS_LABELS).errors !== undefined;
  const named = LISTS.flatMap((name) => {
    const [error, item] = [errors[name], itemsIn(values[name]).find(isWrong(name))];
    return error === undefined || item === undefined ? [] : [[name, words.at_item(error, item)] as const];
  });
  return { ...errors, ...Object.fromEntries(named) };
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
        {access.oidc && <Facts facts={[[words.oidc, access.oidc.issuer]]} />}
        <p class="quiet">{words.ends_sessions}</p>
        <SaveButton />
      </form>
    ),
  });
}
