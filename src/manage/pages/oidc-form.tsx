import type { AccessDto, AccessOidcStateDto } from '../../access/dto/access.dto.js';
import { ReplaceAccessOidcDto } from '../../access/dto/replace-access.dto.js';
import { check, type Checked, type Errors, type Labels } from '../errors-of-fields.js';
import { Check, Summary, TextArea, TextField } from '../fields.js';
import { textIn } from '../incident-form.js';
import type { Reply } from '../reply.js';
import type { Visit } from '../visit.js';
import { WORDS } from '../words.js';
import type { ReadAccess } from './access-form.js';
import { itemsIn, withItems } from './item-lists.js';
import { Facts, Hidden, pageScreen, pathOf, SaveButton } from './page-frame.js';

const { page: pageWords, page_access, errors: errorWords } = WORDS;
const words = page_access.oidc;

/** Labels of the provider's fields. */
export const OIDC_LABELS: Labels = {
  issuer: words.issuer,
  client_id: words.client_id,
  client_secret: words.secret,
  email_domains: words.domains,
};

/** Values in the form. `client_secret`: null in a form that was kept without it. */
export interface OidcValues {
  issuer: string;
  client_id: string;
  client_secret: string | null;
  removes_secret: boolean;
  /** One in each line. */
  email_domains: string;
}

/** Returns the path of the screen. */
export function oidcPath(page: { id: string }): string {
  return `${pathOf(page, 'access')}/oidc`;
}

/** Returns the values of a sent form. */
export function oidcIn(sent: URLSearchParams): OidcValues {
  return {
    issuer: (sent.get('issuer') ?? '').trim(),
    client_id: (sent.get('client_id') ?? '').trim(),
    client_secret: sent.get('client_secret'),
    removes_secret: sent.get('removes_secret') === 'on',
    email_domains: textIn(sent, 'email_domains'),
  };
}

/** Returns the values of the stored provider, which never contain the secret. */
export function oidcOf({ oidc }: AccessDto): OidcValues {
  return {
    issuer: oidc?.issuer ?? '',
    client_id: oidc?.client_id ?? '',
    client_secret: '',
    removes_secret: false,
    email_domains: oidc?.email_domains.join('\n') ?? '',
  };
}

/**
 * Validates the values by the DTO of the API. The API removes the secret of another client without a word, so that the form asks for
 * the new one.
 */
export function toOidc(values: OidcValues, { oidc: stored }: AccessDto): Checked<ReplaceAccessOidcDto> {
  const { issuer, client_id, client_secret, removes_secret, email_domains } = values;
  const sent = {
    issuer: issuer || null,
    client_id: client_id || null,
    ...((client_secret || removes_secret) && { client_secret: client_secret || null }),
    email_domains: itemsIn(email_domains),
  };
  const checked = check(ReplaceAccessOidcDto, sent, OIDC_LABELS);
  if (checked.errors)
    return { errors: withItems(checked.errors, { email_domains }, ReplaceAccessOidcDto, OIDC_LABELS) };
  const secret = secretError(values, stored);
  if (secret === undefined) return checked;
  return { errors: { client_secret: secret, form: errorWords.summary_of([words.secret]) } };
}

/** Returns why a form must contain the secret, or undefined. */
function secretError(values: OidcValues, stored: AccessOidcStateDto | null): string | undefined {
  const { issuer, client_id, client_secret, removes_secret } = values;
  if (client_secret || removes_secret) return undefined;
  if (stored?.has_client_secret && (stored.issuer !== issuer || stored.client_id !== client_id))
    return words.secret_again;
  return client_secret === null ? words.secret_not_kept : undefined;
}

/** A form with the provider of a page. */
interface OidcPage {
  /** Redirect URIs to register at the provider. */
  redirects: string[];
  values: OidcValues;
  errors?: Errors | undefined;
  /** Another member has changed the rules, which `ReadAccess` contains. */
  conflict?: { author: string | undefined };
}

/** Renders the provider of OpenID Connect whose accounts may see a page, as a form. */
export function renderOidc(visit: Visit, read: ReadAccess, shown: OidcPage): Reply {
  const { errors, conflict, values, redirects } = shown;
  const { page, access } = read;
  const current = oidcOf(access);
  const field = (name: 'issuer' | 'client_id' | 'email_domains') => ({
    name,
    label: OIDC_LABELS[name] ?? '',
    value: values[name],
    errors,
    ...(conflict && values[name] !== current[name] && { theirs: current[name] || pageWords.none }),
  });
  const hasSecret = access.oidc?.has_client_secret === true;
  return pageScreen(visit, read, {
    tab: 'access',
    name: words.title,
    ...((errors ?? conflict) && { status: errors ? 400 : 409 }),
    children: (
      <>
        <h2>{words.title}</h2>
        <p>{words.text}</p>
        <Facts facts={redirects.map((uri) => [words.redirect, uri] as const)} />
        <section>
          <form class="form" method="post" action={oidcPath(page)}>
            <Hidden visit={visit} version={access.updated_at} />
            <Summary text={errors?.['form'] ?? (conflict && pageWords.changed(conflict.author))} />
            <TextField {...field('issuer')} hint={words.issuer_hint} />
            <TextField {...field('client_id')} hint={words.client_id_hint} />
            <TextField
              name="client_secret"
              label={words.secret}
              hint={hasSecret ? words.has_secret : words.secret_hint}
              type="password"
              autocomplete="new-password"
              errors={errors}
            />
            {hasSecret && (
              <Check name="removes_secret" label={words.no_secret} checked={values.removes_secret} />
            )}
            <TextArea {...field('email_domains')} hint={words.domains_hint} rows={2} />
            <p class="quiet">{pageWords.access.ends_sessions}</p>
            <SaveButton />
          </form>
        </section>
        {access.oidc && (
          <p class="actions">
            <a class="button danger" href={`${oidcPath(page)}/remove`}>
              {words.remove}
            </a>
          </p>
        )}
      </>
    ),
  });
}
