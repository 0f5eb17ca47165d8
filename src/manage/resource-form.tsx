import { randomUUID } from 'node:crypto';
import { Summary, Token } from './fields.js';
import { screen } from './frame.js';
import type { Reply } from './reply.js';
import { type Prevented, statusOf } from './saving.js';
import type { Visit } from './visit.js';
import { WORDS } from './words.js';

const { saving: words } = WORDS;

/** Renders the link to the screen above. */
export function Crumb({ path, text }: { path: string; text: string }) {
  return (
    <p class="crumb">
      <a href={path}>
        <bdi>{text}</bdi>
      </a>
    </p>
  );
}

/** Renders the hidden fields of a form that acts once. `version`: `updated_at` of the resource that it changes. */
export function FormKeys({ visit, version }: { visit: Visit; version?: Date }) {
  return (
    <>
      <Token visit={visit} />
      <input type="hidden" name="key" value={randomUUID()} />
      {version && <input type="hidden" name="updated_at" value={version.toISOString()} />}
    </>
  );
}

/** Renders the reason why a form has not been saved. */
export function Trouble({ errors, theirs }: Prevented) {
  return <Summary text={errors?.['form'] ?? (theirs && words.changed(theirs.author))} />;
}

/** Returns the value of another member, if it differs from one's own. */
export function theirsOf({ theirs }: Prevented, current: string, own: string): { theirs?: string } {
  return theirs && current !== own ? { theirs: current === '' ? words.nothing : current } : {};
}

/** A question before something is deleted. */
export interface Deletion {
  /** Path of the form. */
  action: string;
  /** Screen of the resource. */
  back: { path: string; text: string };
  title: string;
  /** Effects of the deletion. */
  text: string;
  /** `updated_at` of the resource, if it has one. */
  version?: Date;
  /** Text of the button. */
  button?: string;
  prevented?: Prevented;
}

/** Asks before something is deleted. */
export function renderDeletion(
  visit: Visit,
  { action, back, title, text, version, button = words.delete, prevented = {} }: Deletion,
): Reply {
  const { errors, theirs } = prevented;
  return screen({
    title,
    visit,
    status: statusOf(prevented),
    children: (
      <>
        <Crumb {...back} />
        <h1>
          <bdi>{title}</bdi>
        </h1>
        <form class="form" method="post" action={action}>
          <FormKeys visit={visit} {...(version && { version })} />
          <Summary text={errors?.['form'] ?? (theirs && words.changed_deletion(theirs.author))} />
          <p>{text}</p>
          <div class="actions">
            <button class="button danger" name="step" value="delete" type="submit">
              {button}
            </button>
            <a class="button plain" href={back.path}>
              {words.cancel}
            </a>
          </div>
        </form>
      </>
    ),
  });
}
