import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type {
  Incident,
  IncidentUpdate,
  Maintenance,
  MaintenanceWindowUpdate,
} from '../../../clients/typescript/src/index.js';
import type { StatusPageDto } from '../../../src/status-pages/dto/status-page.dto.js';
import type { FeedFormat } from '../../../src/page-model/parts.js';
import type { NewStatusPage } from '../../../src/status-pages/status-pages.service.js';
import type { One } from '../../support/server.js';
import { until } from '../../support/server.js';
import { useSummaries } from '../../summaries/use-summaries.js';
import { JSON_FEED_SCHEMA } from './schemas/json-feed.js';
import { faultsIn, textsIn } from './xml.js';

/** Entry, as a feed reader parses it. */
export interface ReadEntry {
  id: string;
  url: string;
  title: string;
  html: string;
  /** In milliseconds. */
  published: number;
}

export interface ReadFeed {
  title: string;
  entries: ReadEntry[];
}

interface JsonFeed {
  title: string;
  items: { id: string; url: string; title: string; content_html: string; date_published: string }[];
}

const ajv = addFormats.default(new Ajv2020({ allErrors: true }));

/** Returns the schema errors of a JSON document. */
export function faultsOf(schema: object, value: unknown): string[] {
  const validate = ajv.compile(schema);
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/**
 * Returns a text as it appears in the title of a feed. RSS does not define whether titles are text or HTML, so a title
 * must not start a tag.
 */
export function titleIn(format: FeedFormat, text: string): string {
  return format === 'rss' ? text.replaceAll(/<(?=[a-z/!?])/gi, '&lt;') : text;
}

/** Parses a feed. Throws if it violates its format. */
export function readFeed(format: FeedFormat, text: string): ReadFeed {
  if (format === 'json') {
    const feed: JsonFeed = JSON.parse(text);
    throwAny(faultsOf(JSON_FEED_SCHEMA, feed));
    const entries = feed.items.map(({ id, url, title, content_html, date_published }) => ({
      id,
      url,
      title,
      html: content_html,
      published: Date.parse(date_published),
    }));
    return { title: feed.title, entries };
  }
  throwAny(faultsIn(text, `${format}.rng`));
  const paths =
    format === 'rss'
      ? {
          title: '/rss/channel/title',
          entry: '//item',
          of: ['guid', 'link', 'title', 'description', 'pubDate'],
        }
      : {
          title: '/atom:feed/atom:title',
          entry: '//atom:entry',
          of: ['atom:id', 'atom:link/@href', 'atom:title', 'atom:content', 'atom:published'],
        };
  const [ids = [], urls = [], titles = [], contents = [], times = []] = paths.of.map((path) =>
    textsIn(text, `${paths.entry}/${path}`),
  );
  const entries = ids.map((id, index) => ({
    id,
    url: urls[index] ?? '',
    title: titles[index] ?? '',
    html: contents[index] ?? '',
    published: Date.parse(times[index] ?? ''),
  }));
  return { title: textsIn(text, paths.title)[0] ?? '', entries };
}

function throwAny(faults: string[]): void {
  if (faults.length > 0) throw new Error(faults.join('\n'));
}

/** A server with pages, incidents and maintenance windows, and helpers to read them as a visitor. */
export function useFeeds() {
  const summaries = useSummaries();
  const { server, tenant, send } = summaries;

  /** Creates a public page with one section of these monitors. */
  const pageOf = (monitor_ids: string[], fields: Partial<NewStatusPage> = {}): Promise<StatusPageDto> =>
    server.page(tenant, {
      is_public: true,
      sections: [{ id: 'core', title: 'Core', monitor_ids }],
      ...fields,
    });

  const visit = (slug: string, path: string): Promise<Response> =>
    fetch(`${server.url}/status/${slug}${path}`);

  /** Returns the body of one part. */
  async function textOf(slug: string, path: string): Promise<string> {
    const response = await visit(slug, path);
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${response.status} ${text}`);
    return text;
  }

  const feedOf = async (slug: string, format: FeedFormat): Promise<ReadFeed> =>
    readFeed(format, await textOf(slug, `/feed.${format}`));

  /** Waits until a part of a page is as expected. A change appears within two seconds. */
  const seen = <Part>(read: () => Promise<Part>, isSeen: (part: Part) => boolean): Promise<Part> =>
    until(async () => {
      const part = await read();
      return isSeen(part) && part;
    });

  async function patch(path: string, json: object): Promise<void> {
    const { status, text } = await send('PATCH', path, json);
    if (status !== 200) throw new Error(text);
  }

  /** Posts an update to an incident. */
  async function update(incident: Pick<Incident, 'id'>, fields: object): Promise<IncidentUpdate> {
    const path = `/v1/incidents/${incident.id}/updates`;
    const { status, text, body } = await send<One<IncidentUpdate>>('POST', path, fields);
    if (status !== 201) throw new Error(text);
    return body.data;
  }

  const updatesOf = async ({ id }: Pick<Incident, 'id'>): Promise<IncidentUpdate[]> =>
    (await send<{ data: IncidentUpdate[] }>('GET', `/v1/incidents/${id}/updates?limit=100`)).body.data;

  /** Posts an update to a maintenance window. */
  async function maintenanceUpdate(id: string, fields: object): Promise<MaintenanceWindowUpdate> {
    const path = `/v1/maintenances/${id}/updates`;
    const { status, text, body } = await send<One<MaintenanceWindowUpdate>>('POST', path, fields);
    if (status !== 201) throw new Error(text);
    return body.data;
  }

  const maintenanceOf = async (id: string): Promise<Maintenance> =>
    (await send<One<Maintenance>>('GET', `/v1/maintenances/${id}`)).body.data;

  return {
    ...summaries,
    pageOf,
    visit,
    textOf,
    feedOf,
    seen,
    patch,
    update,
    updatesOf,
    maintenanceOf,
    maintenanceUpdate,
  };
}
