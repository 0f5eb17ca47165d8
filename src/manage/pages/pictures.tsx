import { IMAGE_KINDS, type ImageKind } from '../../branding/branding-values.js';
import { EXTENSIONS } from '../../branding/images/image-values.js';
import type { Errors } from '../errors-of-fields.js';
import type { Visit } from '../visit.js';
import { WORDS } from '../words.js';
import type { ReadBranding } from './branding-values.js';
import { Hidden, pathOf, SavedHere } from './page-frame.js';

const words = WORDS.page.branding;

const TYPES = Object.keys(EXTENSIONS).join(',');

/** Backgrounds on which visitors see a picture. */
const PLATES: Record<ImageKind, readonly ('light' | 'dark')[]> = {
  logo: ['light', 'dark'],
  logo_dark: ['dark'],
  favicon: ['light', 'dark'],
};

/** Renders the pictures of a page, each with forms that replace and remove it. */
export function Pictures({
  visit,
  read,
  errors,
}: {
  visit: Visit;
  read: ReadBranding;
  errors: Errors | undefined;
}) {
  return (
    <section>
      <h2>{words.pictures}</h2>
      <p class="quiet">{words.pictures_hint}</p>
      {IMAGE_KINDS.map((kind) => (
        <Picture kind={kind} visit={visit} read={read} error={errors?.[kind]} />
      ))}
    </section>
  );
}

function Picture({
  kind,
  visit,
  read: { page, branding },
  error,
}: {
  kind: ImageKind;
  visit: Visit;
  read: ReadBranding;
  error: string | undefined;
}) {
  const image = branding[kind];
  const path = `${pathOf(page)}/pictures/${kind}`;
  const name = words.picture[kind];
  const isReplaced = kind === 'logo' && branding.logo_dark !== null;
  const plates = PLATES[kind].filter((plate) => plate === 'light' || !isReplaced);
  const hasNoDark = kind === 'logo' && image !== null && !isReplaced;
  return (
    <div class="image" id={kind}>
      <h3>{name}</h3>
      <SavedHere visit={visit} page={page} place={kind} />
      <p class="quiet">{image ? words.size(image.width, image.height) : words.picture_hint[kind]}</p>
      {image && (
        <div class="plates">
          {plates.map((plate) => (
            <figure>
              <p class={`plate ${plate}`}>
                <img src={`${path}?v=${branding.updated_at.getTime()}`} alt={name} />
              </p>
              <figcaption>{words.plates[plate]}</figcaption>
            </figure>
          ))}
        </div>
      )}
      {hasNoDark && <p class="quiet">{words.dark_logo_hint}</p>}
      {error !== undefined && (
        <p class="error" id={`${kind}-error`}>
          {error}
        </p>
      )}
      <form class="find" method="post" action={path} encType="multipart/form-data">
        <Hidden visit={visit} version={branding.updated_at} />
        <div class="field">
          <label for={`${kind}-file`}>{words.file}</label>
          <input
            id={`${kind}-file`}
            type="file"
            name="file"
            accept={TYPES}
            aria-describedby={error === undefined ? undefined : `${kind}-error`}
            aria-invalid={error === undefined ? undefined : 'true'}
          />
        </div>
        <button class="button plain" type="submit" aria-label={words.upload_label(name)}>
          {words.upload}
        </button>
      </form>
      {image && (
        <form class="actions" method="post" action={`${path}/remove`}>
          <Hidden visit={visit} version={branding.updated_at} />
          <button class="button danger small" type="submit" aria-label={words.remove_label(name)}>
            {words.remove}
          </button>
        </form>
      )}
    </div>
  );
}
