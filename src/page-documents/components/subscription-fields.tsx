import type { ComponentChildren } from 'preact';
import type { SubscribePart } from '../../page-model/page-data.js';
import type { View } from '../../page-model/view.js';
import { Name } from './text.js';

/** Contents of the fields, as sent. */
export interface FormValues {
  email: string;
  /** `all` or `some` monitors. */
  systems: string;
  monitor_ids: readonly string[];
  /** `all` or `edges`. */
  detail: string;
  maintenances: boolean;
}

/** Fields that can be wrong. Each is the ID of its element. */
export type FormField = 'email' | 'systems' | 'detail';

/** The reason why a field is wrong. */
export type FormError = 'email_empty' | 'email_invalid' | 'systems_empty' | 'choice_invalid';

/** Wrong fields, in their order. */
export type FormErrors = Partial<Record<FormField, FormError>>;

/** Choices of the empty form. */
export const EMPTY_FORM: FormValues = {
  email: '',
  systems: 'all',
  monitor_ids: [],
  detail: 'all',
  maintenances: true,
};

/** Choices that a form offers besides single monitors. */
export interface Offers {
  /** All monitors. */
  all: boolean;
  maintenances: boolean;
}

const EVERYTHING: Offers = { all: true, maintenances: true };

interface Props {
  view: View;
  values: FormValues;
  errors: FormErrors;
}

/** Renders all errors, with links to their fields. The browser moves the focus to it. */
export function ErrorSummary({ view, errors }: Pick<Props, 'view' | 'errors'>) {
  const { subscription } = view.words;
  const fields = FIELDS.flatMap((field) => {
    const error = errors[field];
    return error === undefined ? [] : [{ field, error }];
  });
  if (fields.length === 0) return null;
  return (
    <div class="notice" role="alert" tabIndex={-1} autofocus>
      <p>{subscription.errors}</p>
      <ul>
        {fields.map(({ field, error }) => (
          <li>
            <a href={`#${field}`}>{subscription[error]}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}

const FIELDS: readonly FormField[] = ['email', 'systems', 'detail'];

function ErrorText({ field, view, errors }: { field: FormField } & Pick<Props, 'view' | 'errors'>) {
  const error = errors[field];
  if (error === undefined) return null;
  return (
    <p class="error" id={`${field}-error`}>
      {view.words.subscription[error]}
    </p>
  );
}

/** Renders the field of the address. Not of the type `email`, because browsers would change international domains. */
export function EmailField({ view, values, errors }: Props) {
  const { subscription } = view.words;
  const isWrong = errors.email !== undefined;
  return (
    <div class="field">
      <label for="email">{subscription.email}</label>
      <p class="hint" id="email-hint">
        {subscription.email_hint}
      </p>
      <ErrorText field="email" view={view} errors={errors} />
      <input
        id="email"
        name="email"
        type="text"
        dir="ltr"
        inputmode="email"
        autocomplete="email"
        autocapitalize="none"
        spellcheck={false}
        required
        value={values.email}
        aria-invalid={isWrong ? 'true' : undefined}
        aria-describedby={isWrong ? 'email-error email-hint' : 'email-hint'}
      />
    </div>
  );
}

/** Renders what the mail is about, and how much of it. */
export function ChoiceFields({
  view,
  sections,
  values,
  errors,
  offers = EVERYTHING,
}: Props & { sections: SubscribePart['sections']; offers?: Offers }) {
  const { subscription } = view.words;
  const amount = (value: string) => ({ name: 'detail', value, checked: values.detail === value });
  return (
    <>
      {sections.length > 0 && (
        <SystemFields view={view} sections={sections} values={values} errors={errors} offers={offers} />
      )}
      <Group field="detail" legend={subscription.amount} view={view} errors={errors}>
        <Choice id="detail" type="radio" {...amount('all')} text={subscription.every_update} />
        <Choice type="radio" {...amount('edges')} text={subscription.edges} hint={subscription.edges_hint} />
      </Group>
      {offers.maintenances && (
        <div>
          <Choice
            type="checkbox"
            name="maintenances"
            value="on"
            checked={values.maintenances}
            text={subscription.maintenances}
          />
        </div>
      )}
    </>
  );
}

/** Renders the monitors. The stylesheet hides the list unless some of them are to be selected. */
function SystemFields({
  view,
  sections,
  values,
  errors,
  offers,
}: Props & { sections: SubscribePart['sections']; offers: Offers }) {
  const { subscription } = view.words;
  const selected = new Set(values.monitor_ids);
  const which = (value: string) => ({ name: 'systems', value, checked: values.systems === value });
  return (
    <Group field="systems" legend={subscription.systems} view={view} errors={errors}>
      {offers.all ? (
        <>
          <Choice id="systems" type="radio" {...which('all')} text={subscription.all_systems} />
          <Choice type="radio" {...which('some')} text={subscription.some_systems} />
        </>
      ) : (
        <Choice id="systems" type="radio" {...which('some')} checked text={subscription.some_systems} />
      )}
      <div class="systems">
        {sections.map(({ title, monitors }) => (
          <div role="group" aria-label={title}>
            {sections.length > 1 && (
              <p class="group" aria-hidden="true">
                <Name>{title}</Name>
              </p>
            )}
            <ul>
              {monitors.map(({ monitor_id, name }) => (
                <li>
                  <Choice
                    type="checkbox"
                    name="monitors[]"
                    value={monitor_id}
                    checked={selected.has(monitor_id)}
                    text={<Name>{name}</Name>}
                  />
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </Group>
  );
}

interface GroupProps extends Pick<Props, 'view' | 'errors'> {
  field: FormField;
  legend: string;
  children: ComponentChildren;
}

function Group({ field, legend, view, errors, children }: GroupProps) {
  const isWrong = errors[field] !== undefined;
  return (
    <fieldset class="field" aria-describedby={isWrong ? `${field}-error` : undefined}>
      <legend>{legend}</legend>
      <ErrorText field={field} view={view} errors={errors} />
      {children}
    </fieldset>
  );
}

interface ChoiceProps {
  id?: string;
  type: 'radio' | 'checkbox';
  name: string;
  value: string;
  checked: boolean;
  text: ComponentChildren;
  hint?: string;
}

function Choice({ text, hint, ...input }: ChoiceProps) {
  return (
    <label class="choice">
      <input {...input} />
      <span>
        {text}
        {hint !== undefined && <small class="hint">{hint}</small>}
      </span>
    </label>
  );
}
