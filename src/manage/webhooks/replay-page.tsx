import type { WebhookEndpointDto } from '../../webhooks/dto/webhook-endpoint.dto.js';
import { Token } from '../fields.js';
import { Kept } from '../kept-fields.js';
import { screen } from '../frame.js';
import type { Reply } from '../reply.js';
import { Crumb } from '../resource-form.js';
import { dateOf } from '../times.js';
import type { Visit } from '../visit.js';
import { WORDS } from '../words.js';
import { PATH, urlOf } from './webhook-state.js';

const { webhooks: words, saving } = WORDS;

/** Fields that the review of past events replaces. */
const CONTROL: ReadonlySet<string> = new Set(['step', 'key']);

interface Review {
  endpoint: WebhookEndpointDto;
  /** Number of events. */
  number: number;
  since: Date;
  /** Makes the replay happen once. */
  key: string;
}

/** Asks before past events are sent again, with their number. */
export function renderReplay(visit: Visit, { endpoint, number, since, key }: Review): Reply {
  const path = `${PATH}/${endpoint.id}`;
  return screen({
    title: words.review_title,
    visit,
    children: (
      <>
        <Crumb path={path} text={urlOf(endpoint)} />
        <h1>{words.review_title}</h1>
        <form class="form" method="post" action={`${path}/replay`}>
          <Token visit={visit} />
          <Kept sent={visit.sent} without={CONTROL} />
          <input type="hidden" name="key" value={key} />
          <p>{words.review_text(number, dateOf(since))}</p>
          <div class="actions">
            {number > 0 && (
              <button class="button" type="submit" name="step" value="publish">
                {words.replay_button(number)}
              </button>
            )}
            <a class="button plain" href={path}>
              {saving.cancel}
            </a>
          </div>
        </form>
      </>
    ),
  });
}
