import { SubmitButton } from '../buttons.js';
import { Summary } from '../fields.js';
import type { Reply } from '../reply.js';
import { FormKeys } from '../resource-form.js';
import type { Visit } from '../visit.js';
import { WORDS } from '../words.js';
import { pageScreen, previewPath } from './page-frame.js';
import type { ReadPage } from './page-reader.js';

const { preview: words } = WORDS.page_access;

/** Renders the button that creates a preview link. */
export function renderPreview(visit: Visit, read: ReadPage): Reply {
  const { page } = read;
  const isRepeated = visit.query.get('done') === 'repeated';
  return pageScreen(visit, read, {
    tab: 'settings',
    name: words.title,
    children: (
      <>
        <h2>{words.title}</h2>
        <Summary text={isRepeated ? words.repeated : undefined} role="status" />
        <p>{page.is_public ? words.public_page : words.text}</p>
        <form class="form" method="post" action={previewPath(page)}>
          <FormKeys visit={visit} />
          <SubmitButton text={words.create} />
        </form>
      </>
    ),
  });
}
