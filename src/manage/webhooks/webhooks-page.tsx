import { Shape } from '../../page-documents/components/status.js';
import type { NewWebhookEndpointDto, WebhookEndpointDto } from '../../webhooks/dto/webhook-endpoint.dto.js';
import { LinkButton } from '../buttons.js';
import { Summary } from '../fields.js';
import { screen } from '../frame.js';
import { Pager, type Part } from '../pager.js';
import type { OwnProject } from '../project-contents.js';
import type { Reply } from '../reply.js';
import { renderSecret } from '../secret.js';
import { cut } from '../texts.js';
import { may, type Visit } from '../visit.js';
import { WORDS } from '../words.js';
import { PATH, stateOf, urlOf } from './webhook-state.js';

const { webhooks: words, saving } = WORDS;

/** Maximum number of characters of a description in the list. */
const MAX_DESCRIPTION = 60;

interface Page extends Part<WebhookEndpointDto> {
  project: OwnProject;
}

/** Renders the webhooks of a project, newest first. */
export function renderWebhooks(visit: Visit, { project, rows, next }: Page): Reply {
  const done = visit.query.get('done') === 'deleted' ? saving.deleted : undefined;
  return screen({
    title: words.title,
    visit,
    children: (
      <>
        <h1>{words.title}</h1>
        <p class="quiet">
          <bdi>{project.name}</bdi> · {words.text}
        </p>
        <Summary text={done} role="status" />
        {may(visit, 'webhooks:write') && (
          <LinkButton path={`${PATH}/new?project=${project.id}`} text={words.new} kind="main" />
        )}
        {rows.length === 0 && <p>{words.none}</p>}
        <ul class="rows">
          {rows.map((endpoint) => (
            <Row endpoint={endpoint} />
          ))}
        </ul>
        <Pager visit={visit} path={PATH} next={next} />
      </>
    ),
  });
}

function Row({ endpoint }: { endpoint: WebhookEndpointDto }) {
  const { id, format, description } = endpoint;
  const { sign, text } = stateOf(endpoint);
  return (
    <li class="row">
      <a href={`${PATH}/${id}`}>
        <Shape status={sign} />
        <bdi class="what url">{urlOf(endpoint)}</bdi>
        <span class="quiet">
          {text} · {words.formats[format]}
          {description !== null && (
            <>
              {' · '}
              <bdi>{cut(description, MAX_DESCRIPTION)}</bdi>
            </>
          )}
        </span>
      </a>
    </li>
  );
}

/** Renders a new secret. No other response contains it. */
export function renderNewSecret(visit: Visit, endpoint: NewWebhookEndpointDto): Reply {
  return renderSecret(visit, {
    title: words.once_title,
    text: (
      <>
        <bdi class="url">{urlOf(endpoint)}</bdi> · {words.once}
      </>
    ),
    label: words.secret,
    value: endpoint.secret,
    next: { path: `${PATH}/${endpoint.id}`, text: words.copied },
  });
}
