import type { Choices } from './choices.js';
import { type Draft, validDraft } from './drafts.js';
import type { Identity } from './identity.js';
import type { Judge } from './judge.js';
import { Known } from './known.js';
import { mutate, TARGETED } from './mutations.js';
import type { Hostile } from './mutations/change.js';
import { type Received, Sender, toSent } from './sender.js';
import type { Operation, ServedDocument } from './served-document.js';

/** Sends requests as one tenant, one after the other, and records resources in the responses. */
export class FuzzedTenant {
  readonly known: Known;
  private readonly sender: Sender;
  private readonly pickable: Operation[];
  private last: Draft | undefined;
  requests = 0;

  constructor(
    url: string,
    private readonly document: ServedDocument,
    private readonly identity: Identity,
    private readonly judge: Judge,
    private readonly options: { foreign: Known; replay: string; canary?: () => string },
  ) {
    this.known = new Known(identity.hidden);
    this.sender = new Sender(url);
    // So that more resources are created than deleted.
    this.pickable = document.operations.flatMap((one) =>
      Array<Operation>(one.method === 'DELETE' ? 1 : 3).fill(one),
    );
  }

  close(): void {
    this.sender.close();
  }

  /** A request of any operation: valid in a third of the cases, otherwise changed at least once. */
  async anything(choose: Choices): Promise<void> {
    const { last } = this;
    if (last && choose.chance(5)) {
      await this.send(structuredClone(last), choose); // again
      return;
    }
    const { draft, context } = await this.prepare(choose.one(this.pickable), choose);
    if (!choose.chance(35)) {
      mutate(draft, context);
      while (choose.chance(20)) mutate(draft, context);
    }
    await this.send(draft, choose);
  }

  /** A valid request that is not a dry run. */
  async properly(operation: Operation, choose: Choices): Promise<Received> {
    const { draft } = await this.prepare(operation, choose);
    draft.query = draft.query.filter(([name]) => name !== 'dry_run');
    return this.send(draft, choose);
  }

  /** A request that aims at this status. */
  async aiming(operation: Operation, status: number, choose: Choices): Promise<void> {
    const { draft, context } = await this.prepare(operation, choose);
    TARGETED[status]?.(draft, context);
    await this.send(draft, choose);
  }

  /**
   * A valid request with additional properties in each object of its body, one object after the other.
   * @returns the field errors in each response, as JSON Pointers, with the pointer of the object
   */
  async withProperties(
    operation: Operation,
    properties: object,
    choose: Choices,
  ): Promise<{ status: number; object: string; text: string }[]> {
    const { draft } = await this.prepare(operation, choose);
    const answers = [];
    for (const object of objectsIn(draft.json)) {
      const json: unknown = structuredClone(draft.json);
      Object.defineProperties(Object(valueAt(json, object)), Object.getOwnPropertyDescriptors(properties));
      const { status, text } = await this.send({ ...draft, json }, choose);
      answers.push({ status, object, text });
    }
    return answers;
  }

  /** Whether a GET finds each created resource and no deleted one. */
  async contradictions(): Promise<string[]> {
    const contradictions: string[] = [];
    for (const [path, exists] of this.known.exists) {
      const operation = this.document.operations.find(
        ({ method, path: template }) => method === 'GET' && matches(template, path),
      );
      if (!operation || (exists && this.known.mayBeGone(path))) continue;
      const draft: Draft = {
        operation,
        method: 'GET',
        segments: path.split('/'),
        query: [],
        headers: [['Authorization', `Bearer ${this.identity.keys.main}`]],
        json: undefined,
        body: undefined,
      };
      const { status, text } = await this.sender.send(toSent(draft));
      const parents = path.split('/').map((_, at, parts) => parts.slice(0, at).join('/'));
      const expected = exists && parents.every((parent) => this.known.exists.get(parent) !== false);
      const isDeleted = status === 404 || /"revoked_at":"/.test(text); // a deleted key remains, revoked
      if (expected ? status !== 200 : !isDeleted)
        contradictions.push(`${path}: ${status}, though ${expected ? 'made' : 'deleted'}`);
    }
    return contradictions;
  }

  private async prepare(operation: Operation, choose: Choices): Promise<{ draft: Draft; context: Hostile }> {
    const context: Hostile = {
      choose,
      document: this.document,
      known: this.known,
      project_id: this.identity.project_id,
      canary: this.options.canary,
      keys: this.identity.keys,
      foreign: this.options.foreign,
    };
    const path: string[] = [];
    const template = operation.path.split('/');
    for (const segment of template) {
      const name = /^\{(\w+)\}$/.exec(segment)?.[1];
      path.push(name === undefined ? segment : await this.pick(name, path, template, context));
    }
    return { draft: validDraft(operation, path, context, this.identity.keys.main), context };
  }

  /** An ID, or another parameter, of a resource in a list. Lists or creates resources if none is known. */
  private async pick(name: string, path: string[], template: string[], context: Hostile): Promise<string> {
    const { choose } = context;
    const restores = template[path.length + 1] === 'restore';
    const list = path.join('/');
    if (this.known.items(list).length === 0) {
      for (const method of ['GET', 'POST']) {
        const operation = this.document.find(method, template.slice(0, path.length).join('/'));
        if (!operation || this.known.items(list).length > 0) continue;
        const draft = validDraft(operation, path, context, this.identity.keys.main);
        draft.query = draft.query.filter(([one]) => one !== 'cursor');
        await this.send(draft, choose);
      }
    }
    const deleted = choose.chance(restores ? 80 : 10) ? this.known.deleted(list) : [];
    const item = deleted.length > 0 ? choose.one(deleted) : this.known.choose(choose, list);
    if (typeof item?.['project_id'] === 'string') context.project_id = item['project_id'];
    return String(item?.[name] ?? item?.['id'] ?? choose.integer(1, 3));
  }

  private async send(draft: Draft, choose: Choices): Promise<Received> {
    this.requests += 1;
    const sent = toSent(draft);
    let received: Received;
    try {
      received = await this.sender.send(sent);
    } catch (error) {
      // The server has returned 431 or 400 and closed the connection before the request was complete.
      const isCut =
        error instanceof Error && 'code' in error && ['EPIPE', 'ECONNRESET'].includes(String(error.code));
      if (!isCut)
        throw new Error(`${sent.method} ${sent.target.slice(0, 200)} has no answer`, { cause: error });
      return { status: 0, headers: new Headers(), text: '', everything: '', processorMs: 0 };
    }
    this.judge.judge(draft.operation, sent, received, `${this.options.replay} request ${this.requests}`);
    // An ID can be in upper case, and the target an absolute URL.
    const path = sent.target
      .replace(/^https?:\/\/[^/]*/, '')
      .replace(/\?.*$/s, '')
      .toLowerCase();
    const isJson = /json/.test(received.headers.get('content-type') ?? '') && received.text !== '';
    this.known.learn(
      sent.method,
      path,
      received.status,
      received.headers,
      isJson ? JSON.parse(received.text) : {},
    );
    if (choose.chance(20)) this.last = draft;
    return received;
  }
}

function matches(template: string, path: string): boolean {
  const [ours, theirs] = [template.split('/'), path.split('/')];
  return (
    ours.length === theirs.length && ours.every((part, at) => part.startsWith('{') || part === theirs[at])
  );
}

/** The JSON Pointers of the objects in a JSON. */
function objectsIn(json: unknown, pointer = ''): string[] {
  if (typeof json !== 'object' || json === null) return [];
  const inside = Object.entries(json).flatMap(([name, child]) => objectsIn(child, `${pointer}/${name}`));
  return Array.isArray(json) ? inside : [pointer, ...inside];
}

function valueAt(json: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce((node: unknown, name): unknown => Object(node)[name], json);
}
