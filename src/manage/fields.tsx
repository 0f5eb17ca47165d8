import type { ComponentChildren } from 'preact';
import type { Errors } from './errors-of-fields.js';
import { Preview } from './scripted.js';
import type { Visit } from './visit.js';
import { WORDS } from './words.js';

/** Renders the token that binds a form to its session. */
export function Token({ visit }: { visit: Pick<Visit, 'session'> }) {
  return <input type="hidden" name="token" value={visit.session.form_token} />;
}

interface FieldProps {
  name: string;
  label: string;
  hint?: string;
  value?: string | undefined;
  errors?: Errors | undefined;
  /** Value of another member, which is shown beside one's own. */
  theirs?: string | undefined;
}

function Notes({ name, hint, errors, theirs }: Pick<FieldProps, 'name' | 'hint' | 'errors' | 'theirs'>) {
  const error = errors?.[name];
  return (
    <>
      {hint !== undefined && (
        <small class="hint" id={`${name}-hint`}>
          {hint}
        </small>
      )}
      {error !== undefined && (
        <p class="error" id={`${name}-error`}>
          {error}
        </p>
      )}
      {theirs !== undefined && <Theirs value={theirs} />}
    </>
  );
}

function Theirs({ value }: { value: string }) {
  return (
    <div class="theirs">
      <p>{WORDS.theirs}</p>
      <blockquote dir="auto">{value}</blockquote>
    </div>
  );
}

/** Returns the attributes of an input with notes. */
function attributesOf({ name, hint, errors }: Pick<FieldProps, 'name' | 'hint' | 'errors'>) {
  const notes = [hint !== undefined && `${name}-hint`, errors?.[name] !== undefined && `${name}-error`];
  return {
    id: name,
    name,
    dir: 'auto' as const,
    'aria-describedby': notes.filter(Boolean).join(' ') || undefined,
    'aria-invalid': errors?.[name] === undefined ? undefined : ('true' as const),
  };
}

/** Types of fields of one line. */
type InputType = 'text' | 'email' | 'number' | 'password' | 'search' | 'datetime-local';

type InputValues = ReturnType<typeof attributesOf> & {
  value: string | undefined;
  autocomplete: string;
  list: string | undefined;
};

/** The types of the attributes depend on the type of the input. */
function Input({ type, values }: { type: InputType; values: InputValues }) {
  switch (type) {
    case 'email':
      return <input type="email" {...values} />;
    case 'number':
      return <input type="number" {...values} />;
    case 'password':
      return <input type="password" {...values} />;
    case 'search':
      return <input type="search" {...values} />;
    case 'datetime-local':
      return <input type="datetime-local" {...values} />;
    case 'text':
      return <input type="text" {...values} />;
  }
}

/** Renders a field of one line. */
export function TextField({
  type = 'text',
  autocomplete = 'off',
  list,
  ...field
}: FieldProps & {
  type?: InputType;
  autocomplete?: string;
  /** ID of a `datalist` with suggestions. */
  list?: string;
}) {
  return (
    <div class="field">
      <label for={field.name}>{field.label}</label>
      <Notes {...field} />
      <Input type={type} values={{ ...attributesOf(field), value: field.value, autocomplete, list }} />
    </div>
  );
}

/** Renders a field of several lines. `isPublished`: visitors read it, as Markdown. */
export function TextArea({
  rows = 4,
  isPublished = false,
  ...field
}: FieldProps & { rows?: number; isPublished?: boolean }) {
  return (
    <div class="field">
      <label for={field.name}>{field.label}</label>
      <Notes {...field} />
      <textarea rows={rows} {...attributesOf(field)}>
        {/* A browser removes the first line break of a text area. */}
        {`\n${field.value ?? ''}`}
      </textarea>
      {isPublished && <Preview field={field.name} />}
    </div>
  );
}

/** Renders a group of fields. */
export function Group({
  name,
  label,
  hint,
  errors,
  theirs,
  children,
}: FieldProps & { children: ComponentChildren }) {
  const notes = { name, ...(hint !== undefined && { hint }), errors, theirs };
  return (
    <fieldset class="field" aria-describedby={attributesOf(notes)['aria-describedby']}>
      <legend>{label}</legend>
      <Notes {...notes} />
      {children}
    </fieldset>
  );
}

/** Renders a choice of one value, as buttons side by side. */
export function Choice({
  options,
  ...field
}: FieldProps & { options: readonly { value: string; text: string }[] }) {
  return (
    <Group {...field}>
      <div class="choices">
        {options.map(({ value, text }) => (
          <label class="chip">
            <input type="radio" name={field.name} value={value} checked={value === field.value} />
            <span>{text}</span>
          </label>
        ))}
      </div>
    </Group>
  );
}

/** A value of a selection, in a group of values with a title. */
interface Option {
  value: string;
  text: string;
}

/** Renders a choice of one value from a long list, with groups. */
export function Select({
  options,
  groups = [],
  ...field
}: FieldProps & {
  options: readonly Option[];
  groups?: readonly { title: string; options: readonly Option[] }[];
}) {
  const render = ({ value, text }: Option) => (
    <option value={value} selected={value === field.value}>
      {text}
    </option>
  );
  return (
    <div class="field">
      <label for={field.name}>{field.label}</label>
      <Notes {...field} />
      <select {...attributesOf(field)}>
        {options.map(render)}
        {groups.map(({ title, options: some }) => (
          <optgroup label={title}>{some.map(render)}</optgroup>
        ))}
      </select>
    </div>
  );
}

/** Renders a check box. */
export function Check({
  name,
  value = 'on',
  label,
  checked,
  theirs,
}: {
  name: string;
  value?: string;
  label: string;
  checked: boolean;
  /** Value of another member, which is shown beside one's own. */
  theirs?: string;
}) {
  return (
    <>
      <label class="check">
        <input type="checkbox" name={name} value={value} checked={checked} />
        <span>
          <bdi>{label}</bdi>
        </span>
      </label>
      {theirs !== undefined && <Theirs value={theirs} />}
    </>
  );
}

/** Renders what is wrong with a form as a whole, or (`status`) what has happened. */
export function Summary({
  text,
  role = 'alert',
  children,
}: {
  text: string | undefined;
  role?: 'alert' | 'status';
  /** Links to what follows. */
  children?: ComponentChildren;
}) {
  return text === undefined ? null : (
    <p class="notice" role={role}>
      {text}
      {children}
    </p>
  );
}
