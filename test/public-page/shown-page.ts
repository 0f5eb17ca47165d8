import { API_DOCUMENTS, FEED_FORMATS, IMAGE_NAMES } from '../../src/page-model/parts.js';
import { type Operation, type Schema, ServedDocument } from '../fuzz/served-document.js';
import { type Fields, resourceOf, RESOURCES, type Row, SMALL_SVG } from '../support/resources.js';
import { routesOf } from '../support/routes.js';
import type { One, Tenant, TestServer } from '../support/server.js';

/** Resources that other resources refer to, in order of creation. The page shows the monitor. */
const NAMED = ['monitors', 'status_pages'];

const singular = (name: string): string => name.replace(/s$/, '').replaceAll('-', '_');

const PARAMETER = /^(\{\w+\}|:\w+)$/;

/** Returns the name of the resource whose path ends at a part, with its owner: `incident_update`. */
function nameAt(parts: string[], at: number): string {
  const owner = PARAMETER.test(parts[at - 1] ?? '') ? `${nameAt(parts, at - 2)}_` : '';
  return owner + singular(parts[at] ?? '');
}

const isText = ({ type, format, pattern, enum: words }: Schema): boolean =>
  [type].flat().includes('string') && !format && !pattern && !words;

/**
 * A page that shows one of each resource. Every ID field takes the ID of the page, its monitor, and so on. Every free
 * text field takes the text of `textOf`. The fields come from the OpenAPI document, so new resources are included
 * automatically.
 */
export class ShownPage {
  private readonly ids = new Map<string, string>();
  private slug = '';
  /** Paths of the pictures. */
  private pictures: string[] = [];

  private constructor(
    private readonly server: TestServer,
    private readonly tenant: Tenant,
    private readonly document: ServedDocument,
    private readonly textOf: (field: string, description: string) => string,
  ) {}

  static async create(
    server: TestServer,
    tenant: Tenant,
    textOf: (field: string, description: string) => string,
  ): Promise<ShownPage> {
    const page = new ShownPage(server, tenant, await ServedDocument.of(server.url), textOf);
    page.ids.set('project', tenant.project_id);
    const others = RESOURCES.filter(({ table, owner }) => owner === 'project' && !NAMED.includes(table));
    for (const table of [...NAMED, ...others.map((resource) => resource.table)]) await page.make(table);
    await page.writeTexts();
    await page.upload();
    await page.takeSubscriptions();
    return page;
  }

  private async takeSubscriptions(): Promise<void> {
    const path = `/v1/status-pages/${this.ids.get('status_page')}/settings`;
    const json = { subscribe_enabled: true };
    const { status } = await this.server.ask(path, { method: 'PATCH', key: this.tenant.key, json });
    if (status !== 200) throw new Error(`PATCH ${path}: ${status}`);
  }

  private async make(table: string): Promise<void> {
    const resource = resourceOf(table);
    const operation = this.document.find('POST', resource.path);
    if (!operation) throw new Error(`no POST ${resource.path}`);
    const { conditional } = resource;
    await this.send(operation, resource.path, await resource.create(this.server, this.tenant), conditional);
  }

  /** Sends the texts of all other bodies, such as updates and settings. */
  private async writeTexts(): Promise<void> {
    const writes = this.document.operations
      .filter(({ method, path }) => ['POST', 'PATCH'].includes(method) && path.includes('{'))
      .filter(({ path }) => !path.endsWith('/publish')) // deletes the draft
      .toSorted((one, other) => other.method.localeCompare(one.method)); // a PATCH requires the resource that a POST creates
    for (const operation of writes) {
      const { properties = {} } = operation.body ? this.document.resolve(operation.body.schema) : {};
      const path = this.pathOf(operation.path);
      const hasText = Object.values(properties).some((one) => isText(this.document.resolve(one)));
      const resource = RESOURCES.find((one) => operation.path === `${one.path}/{id}`);
      if (path !== undefined && hasText) await this.send(operation, path, {}, resource?.conditional);
    }
  }

  /** Returns the ID of the page's resource with this name, such as `incident` or `incident_update`. */
  idOf(name: string): string | undefined {
    return this.ids.get(name);
  }

  /** Uploads each picture. */
  private async upload(): Promise<void> {
    const path = `/v1/status-pages/${this.ids.get('status_page')}/branding`;
    for (const name of IMAGE_NAMES) {
      const { key } = this.tenant;
      const ask = { method: 'PUT', key, body: SMALL_SVG };
      const { body } = await this.server.ask<One<Record<string, { url: string }>>>(`${path}/${name}`, ask);
      this.pictures.push(new URL(body.data[name.replace('-', '_')]?.url ?? '').pathname);
    }
  }

  private async send(
    { method, path: template, body: taken }: Operation,
    path: string,
    sample: Fields,
    without: object = {},
  ) {
    const label = `${method} ${template}`;
    const fields = taken && this.valueOf(taken.schema, label, label, sample);
    const all: Fields = { ...sample, ...Object(fields) };
    const json = Object.fromEntries(
      Object.entries(all).filter(([name]) => name in sample || !(name in without)),
    );
    const { key } = this.tenant;
    const { status, text, body } = await this.server.ask<One<Row & { slug?: string }>>(path, {
      method,
      key,
      json,
    });
    if (status >= 300) throw new Error(`${label}: ${status} ${text} for ${JSON.stringify(json)}`);
    const { id, slug } = body.data;
    const parts = template.split('/');
    if (method === 'POST') this.ids.set(nameAt(parts, parts.length - 1), id);
    if (slug !== undefined) this.slug = slug;
  }

  /**
   * Returns a path with IDs in place of its parameters, or undefined if the page does not have one of the resources.
   */
  private pathOf(path: string): string | undefined {
    const parts = path.split('/').map((part, at, all) => {
      return PARAMETER.test(part) ? this.ids.get(nameAt(all, at - 1)) : part;
    });
    return parts.includes(undefined) ? undefined : parts.join('/');
  }

  /**
   * Returns texts and IDs of the page, and examples of other required values; undefined for all other values.
   * @param label path of the field, for its text
   * @param given values that need no example
   */
  private valueOf(schema: Schema, name: string, label: string, given: Fields = {}): unknown {
    const one = this.document.resolve(schema);
    if (isText(one)) return this.textOf(label, one.description ?? '');
    if (one.format === 'uuid') return this.ids.get(/^(\w+?)_ids?$/.exec(name)?.[1] ?? '');
    if (one.items) {
      const item = this.valueOf(one.items, name, label);
      return item === undefined ? undefined : [item];
    }
    const entries = Object.entries(one.properties ?? {}).flatMap(([key, property]): [string, unknown][] => {
      const value = this.valueOf(property, key, `${label} ${key}`);
      const isNeeded = one.required?.includes(key) === true && !(key in given);
      const example = isNeeded ? this.document.resolve(property).example : undefined;
      return value === undefined && example === undefined ? [] : [[key, value ?? example]];
    });
    return entries.length > 0 ? Object.fromEntries(entries) : undefined;
  }

  /**
   * Returns the paths of all parts of the page: every route below `/status/:slug` in all formats and documents, except links in
   * mail (`test/public-page/subscribe/links.test.ts`) and the ways into private pages (`test/access`).
   */
  paths(): string[] {
    const routes = routesOf(this.server.app).filter(
      ({ method, path }) =>
        method === 'GET' && path.startsWith('/status/:slug') && !/:token$|\/access\//.test(path),
    );
    return routes.flatMap(({ path }) => {
      const own = path.replace(':slug', this.slug);
      if (own.includes(':format')) return FEED_FORMATS.map((format) => own.replace(':format', format));
      if (own.includes(':hash')) return this.pictures;
      if (own.includes('*document'))
        return API_DOCUMENTS.map((name) => own.replace('*document', `${name}.json`));
      const found = this.pathOf(own);
      if (found === undefined) throw new Error(`the page has nothing for ${path}`);
      return [found];
    });
  }

  /** Returns the response of a part to a visitor. */
  async visit(path: string): Promise<{ type: string; text: string }> {
    const response = await fetch(this.server.url + path);
    if (response.status !== 200) throw new Error(`GET ${path}: ${response.status}`);
    return { type: response.headers.get('content-type') ?? '', text: await response.text() };
  }
}
