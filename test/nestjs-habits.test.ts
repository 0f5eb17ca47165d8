import { Body, Controller, Module, Post } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { Type } from 'class-transformer';
import { IsObject, IsString, ValidateNested } from 'class-validator';
import type { Logger } from 'pino';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { AppModule } from '../src/app.module.js';
import { Public } from '../src/auth/access.decorators.js';
import { Env, loadEnv } from '../src/config/env.js';
import { createApp } from '../src/create-app.js';
import { LOGGER } from '../src/logging/logging.module.js';
import { OrganizationsService } from '../src/organizations/organizations.service.js';
import { AppWithNotesModule, CREATE_NOTES } from './support/notes.module.js';
import { environment } from './support/process.js';
import { type Answer, type Ask, useTestServer } from './support/server.js';

const NO_CONSTRUCTOR = 'must not have the key constructor';
const ID = '018cc251-f400-7000-8000-0000000000AB';

@Controller('careless')
class CarelessController {
  @Post()
  @Public()
  create(@Body('name') name: string): string {
    return name;
  }
}

@Controller('untyped')
class UntypedController {
  @Post()
  @Public()
  create(@Body() body: object): object {
    return body;
  }
}

class Inner {
  @IsString()
  text!: string;
}

class LooseDto {
  @IsObject()
  @Type(() => Inner)
  inner!: Inner;
}

class VariantDto {
  @ValidateNested()
  @Type(() => Object, { discriminator: { property: 'kind', subTypes: [{ name: 'inner', value: Inner }] } })
  inner!: Inner;
}

@Controller('loose')
class LooseController {
  @Post()
  @Public()
  create(@Body() body: LooseDto): object {
    return body;
  }
}

@Controller('variant')
class VariantController {
  @Post()
  @Public()
  create(@Body() body: VariantDto): object {
    return body;
  }
}

@Module({ imports: [AppModule], controllers: [LooseController] })
class LooseModule {}

@Module({ imports: [AppModule], controllers: [VariantController] })
class VariantModule {}

@Module({ imports: [AppModule], controllers: [CarelessController] })
class FieldByFieldModule {}

@Module({ imports: [AppModule], controllers: [UntypedController] })
class UntypedModule {}

const server = useTestServer({}, AppWithNotesModule);
beforeAll(() => server.sql(CREATE_NOTES));

/** The notes are not documented as the API is. */
const ask = (path: string, options: Ask = {}): Promise<Answer<{ data: unknown }>> =>
  server.ask<{ data: unknown }>(`/v1/notes${path}`, { ...options, undocumented: true });

const post = (path: string, json: unknown) => ask(path, { method: 'POST', json });

describe('a module as a NestJS developer writes it', () => {
  it('stores and reads with @InjectRepository, its own interceptor and ParseUUIDPipe', async () => {
    const made = await post('', { id: ID, title: 'abc', stars: 2 });
    expect([made.status, made.body]).toEqual([201, { data: { id: ID, title: 'abc', stars: 2 } }]);
    const found = await ask(`/one/${ID}`);
    expect([found.status, found.body.data]).toEqual([200, { id: ID.toLowerCase(), title: 'abc', stars: 2 }]);
  });

  it('answers 403 forbidden where its own guard refuses', async () => {
    const { status, body } = await ask('/headers', { headers: { 'X-Door': 'shut' } });
    expect([status, body.code, body.detail]).toEqual([403, 'forbidden', 'Forbidden resource']);
  });

  it('answers 400 validation_failed where a CHECK constraint refuses a value', async () => {
    const { status, body, text } = await post('', { id: ID.replace('AB', 'AC'), title: 'abc', stars: 9 });
    expect([status, body.code, body.errors]).toEqual([400, 'validation_failed', undefined]);
    expect(body.detail).toMatch(/^A value breaks a rule/);
    expect(text).not.toMatch(/notes|check|constraint/i);
  });

  it('answers 400 validation_failed where a column takes no null, with its pointer', async () => {
    const { status, body } = await post('', { id: ID.replace('AB', 'AD'), title: 'abc', stars: null });
    expect([status, body.code]).toEqual([400, 'validation_failed']);
    expect(body.errors).toEqual([{ code: 'invalid_type', detail: 'must not be null', pointer: '#/stars' }]);
  });
});

describe("class-validator's decorators", () => {
  it('hold, each fault with its pointer and code, all at once', async () => {
    const { status, body } = await post('', { id: 'x', title: 'abcd', stars: 0 });
    expect([status, body.code, body.detail]).toEqual([400, 'validation_failed', '3 fields are not valid']);
    expect(body.errors).toEqual([
      { code: 'invalid_format', detail: 'must be a UUID', pointer: '#/id' },
      { code: 'too_long', detail: 'must be shorter than or equal to 3 characters', pointer: '#/title' },
      { code: 'out_of_range', detail: 'must not be less than 1', pointer: '#/stars' },
    ]);
  });

  it('report a missing field as required, and a wrong type before all else', async () => {
    const { body } = await post('', { title: 5, nmae: 1 });
    expect(body.errors).toEqual([
      { code: 'unknown_field', detail: expect.any(String), pointer: '#/nmae' },
      { code: 'required', detail: 'is required', pointer: '#/id' },
      { code: 'invalid_type', detail: 'must be a string', pointer: '#/title' },
    ]);
  });

  it.each([
    [{ email: 'x' }, 'invalid_format', '#/email', 'must be an email'],
    [{ matched: 'b' }, 'invalid_format', '#/matched', 'must match /^a.*$/ regular expression'],
    [{ choice: 'c' }, 'invalid_format', '#/choice', 'must be one of the following values: a, b'],
    [{ flag: 'true' }, 'invalid_type', '#/flag', 'must be a boolean value'],
    [{ word: 'a' }, 'too_short', '#/word', 'must be longer than or equal to 2 characters'],
    [{ word: 'abcd' }, 'too_long', '#/word', 'must be shorter than or equal to 3 characters'],
    [{ filled: '' }, 'too_short', '#/filled', 'must not be empty'],
    [{ at: 'never' }, 'invalid_type', '#/at', 'must be a Date instance'],
    [{ tags: [1] }, 'invalid_type', '#/tags', 'each item must be a string'],
    [{ tags: ['a', 'b', 'c'] }, 'too_long', '#/tags', 'must have at most 2 items'],
    [{ tags: ['a', 'a'] }, 'duplicate', '#/tags', 'must not have equal items'],
    [{ meta: 'x' }, 'invalid_type', '#/meta', 'must be an object'],
    [{ line: { text: 'abcd' } }, 'too_long', '#/line/text', 'must be shorter than or equal to 3 characters'],
    [{ line: { text: 'a', more: 1 } }, 'unknown_field', '#/line/more', expect.any(String)],
    [{ line: 'x' }, 'invalid_type', '#/line', 'must be either object or array'],
    [{ line: [] }, 'invalid_type', '#/line', 'must be an object'],
    [{ lines: [{ text: 'a' }, {}] }, 'required', '#/lines/1/text', 'is required'],
    [{ lines: [null] }, 'invalid_type', '#/lines/0', 'must be an object'],
    [{ lines: {} }, 'invalid_type', '#/lines', 'must be an array of objects'],
    [{ lines: 'x' }, 'invalid_type', '#/lines', 'each item must be either object or array'],
    [{ amount: { toString: 1, valueOf: 1 } }, 'invalid_type', '#/amount', 'must not be an object'],
    [{ amount: [[{ toString: 1 }]] }, 'invalid_type', '#/amount', 'must not be an object'],
    [{ amount: [1] }, 'invalid_type', '#/amount', 'must be an integer number'],
    [{ at: { valueOf: 1, toString: 1 } }, 'invalid_type', '#/at', 'must not be an object'],
    [{ email: { constructor: 1 } }, 'invalid_format', '#/email', NO_CONSTRUCTOR],
    [{ meta: { constructor: { a: 1 } } }, 'invalid_format', '#/meta', NO_CONSTRUCTOR],
    [{ meta: { deep: [{ constructor: 1 }] } }, 'invalid_format', '#/meta', NO_CONSTRUCTOR],
    [{ tags: [{ constructor: 1 }] }, 'invalid_format', '#/tags', NO_CONSTRUCTOR],
    [{ line: { text: { constructor: 1 } } }, 'invalid_format', '#/line/text', NO_CONSTRUCTOR],
    [{ letters: 'abcd' }, 'too_long', '#/letters', 'Use 2 or 3 letters'],
    [{ letters: 'a' }, 'too_short', '#/letters', 'Use 2 or 3 letters'],
    [{ letters: 5 }, 'invalid_type', '#/letters', 'Use 2 or 3 letters'],
    [{ words: ['ab', 'abcd'] }, 'too_long', '#/words', expect.stringMatching(/^each item must be /)],
    [{ words: ['ab', 'a'] }, 'too_short', '#/words', expect.stringMatching(/^each item must be /)],
    [{ bytes: '\u{1F680}' }, 'too_long', '#/bytes', expect.any(String)],
    [{ bytes: 'a' }, 'too_short', '#/bytes', expect.any(String)],
    [{ in: [1] }, 'invalid_type', '#/in', 'each item must be a string'],
    [{ a: ['x'] }, 'invalid_type', '#/a', 'each item must be an integer number'],
    [{ coded: 'abcd' }, 'reserved', '#/coded', 'must be short'],
    [{ foreign: 'abcd' }, 'too_long', '#/foreign', 'must be shorter than or equal to 3 characters'],
    [{ both: 'abcd' }, 'too_long', '#/both', 'must be shorter than or equal to 3 characters'],
    [{ both: 'ax' }, 'invalid_format', '#/both', 'must not contain a x string'],
    [{ both: ' ' }, 'blank', '#/both', 'must not be only white space'],
    [{ both: 1 }, 'invalid_type', '#/both', 'must be a string'],
  ])('refuse %j with %s at %s', async (json, code, pointer, detail) => {
    const { status, body } = await post('/kinds', json);
    expect([status, body.errors]).toEqual([400, [{ code, detail, pointer }]]);
  });

  it('let valid values through, converted where @Type says so', async () => {
    const json = {
      email: 'a@example.com',
      flag: true,
      at: '2026-11-20T12:00:00.000Z',
      tags: ['a', 'b'],
      meta: { deep: [1, null] },
      lines: [{ text: 'a' }],
      both: 'abc',
      word: null, // as @IsOptional() has it
    };
    const { status, body } = await post('/kinds', json);
    expect([status, body.data]).toEqual([201, json]);
  });

  it.each([
    ['a list of objects', { lines: Array.from({ length: 80_000 }, () => ({})) }],
    ['a deep object', { meta: 'DEEP' }],
    ['a wide object', { meta: Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [index, 0])) }],
    ['a deep object in the place of a text', { email: 'DEEP' }],
  ])('never meet a hostile shape: %s', async (_shape, json) => {
    const deep = '{"a":'.repeat(40_000) + '1' + '}'.repeat(40_000);
    const started = performance.now();
    const { status } = await ask('/kinds', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(json).replace('"DEEP"', deep),
    });
    expect([400, 413]).toContain(status);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});

describe("NestJS's exceptions", () => {
  it.each([
    ['BadRequest', 400, 'validation_failed', 'The moon is wrong'],
    ['Unauthorized', 401, 'invalid_api_key', 'Who?'],
    ['Forbidden', 403, 'forbidden', 'Not you'],
    ['NotFound', 404, 'not_found', 'No such note'],
    ['NotFoundAlone', 404, 'not_found', 'Not Found'],
    ['Conflict', 409, 'conflict', 'Taken'],
    ['PreconditionFailed', 412, 'precondition_failed', 'Changed'],
    ['TooMany', 429, 'rate_limited', 'Slowly'],
    ['Caused', 409, 'conflict', 'Taken'],
    ['OfError', 400, 'validation_failed', 'The request is not valid'],
    ['OfErrorPlain', 409, 'conflict', 'The request conflicts with the current state'],
    ['Long', 400, 'validation_failed', `${'a'.repeat(499)}\uFFFD`],
    ['Mixed', 400, 'validation_failed', 'First; Second'],
    ['NoText', 400, 'validation_failed', 'The request is not valid'],
    ['HttpErrorHidden', 404, 'not_found', 'Not Found'],
    ['HttpErrorLowest', 400, 'validation_failed', 'Odd'],
  ])('%s is %i %s with its message', async (name, status, code, detail) => {
    const { body, headers, ...answer } = await ask(`/throw/${name}`);
    expect([answer.status, body.code, body.detail]).toEqual([status, code, detail]);
    expect(body.type).toBe(`/problems/${code}`);
    expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(headers.get('www-authenticate')).toBe(
      status === 401 ? 'Bearer realm="status-pages", error="invalid_token"' : null,
    );
    expect(headers.get('retry-after')).toBe(status === 429 ? '1' : null);
  });

  it.each([
    ['Unprocessable', 422, 'unprocessable_entity', 'Unprocessable Entity', 'Odd'],
    ['Gone', 410, 'gone', 'Gone', 'Gone for good'],
    ['Teapot', 418, 'i_m_a_teapot', "I'm a Teapot", 'Short and stout'],
    ['PlainHttp', 402, 'payment_required', 'Payment Required', 'Pay first'],
    ['Odd', 499, 'unknown', 'Unknown', 'Very odd'],
    ['BadGateway', 502, 'bad_gateway', 'Bad Gateway', 'Bad Gateway'],
    ['OfErrorUncoded', 410, 'gone', 'Gone', 'Gone'],
    ['HttpError', 418, 'i_m_a_teapot', "I'm a Teapot", 'Short and stout'],
  ])(
    '%s, whose status has no code, is %i %s of the type about:blank',
    async (name, status, code, title, detail) => {
      const { status: answered, body, headers } = await ask(`/throw/${name}`);
      const request_id = headers.get('x-request-id');
      expect(answered).toBe(status);
      expect(body).toEqual({ type: 'about:blank', title, status, code, detail, request_id });
    },
  );

  it('of a file that is not there is 404 not_found, not a malformed request', async () => {
    const { status, body } = await ask('/file');
    expect([status, body.code, body.detail]).toEqual([404, 'not_found', 'Not Found']);
  });

  it.each([
    ['Internal', 500, 'internal_error', null],
    ['Unavailable', 503, 'unavailable', '1'],
    ['BadGateway', 502, 'bad_gateway', null],
    ['AnyError', 500, 'internal_error', null],
    ['Deliberate', 503, 'unavailable', '1'],
    ['Released', 503, 'unavailable', '1'],
    ['ProviderReleased', 503, 'unavailable', '1'],
    ['QueryWithoutCode', 503, 'unavailable', '1'],
    ['QueryWithNumber', 503, 'unavailable', '1'],
    ['NullColumn', 500, 'internal_error', null],
    ['HttpErrorBelow', 500, 'internal_error', null],
    ['HttpErrorRedirect', 500, 'internal_error', null],
    ['HttpErrorUnknown', 500, 'internal_error', null],
    ['HttpErrorText', 500, 'internal_error', null],
    ['Upstream', 500, 'internal_error', null],
  ])('%s keeps its status %i, and its message to the log', async (name, status, code, retryAfter) => {
    const { status: answered, body, headers, text } = await ask(`/throw/${name}`);
    expect([answered, body.code, headers.get('retry-after')]).toEqual([status, code, retryAfter]);
    expect(text).not.toMatch(/hunter2|secret/);
  });
});

describe('the log of exceptions', () => {
  afterEach(() => vi.restoreAllMocks());

  /** What the filter logs of an exception, with the id of the request. */
  async function logged(name: string): Promise<{ request_id: string | null; lines: unknown[][] }> {
    const error = vi.spyOn(server.app.get<Logger>(LOGGER), 'error').mockReturnValue();
    const { headers } = await ask(`/throw/${name}`);
    const calls = error.mock.calls.map((line): unknown[] => line);
    const lines = calls.filter(([, message]) => message !== 'request completed');
    return { request_id: headers.get('x-request-id'), lines };
  }

  it('has each error of the program whole, and none that is thrown as a Problem', async () => {
    for (const name of ['AnyError', 'Internal', 'AnyError']) {
      const { request_id, lines } = await logged(name);
      expect(lines).toEqual([[{ request_id, err: expect.any(Error) }, 'internal_error']]);
      vi.restoreAllMocks();
    }
    for (const name of ['Deliberate', 'NotFound']) {
      expect((await logged(name)).lines).toEqual([]);
      vi.restoreAllMocks();
    }
  });

  it('has one stack in ten seconds of an outage, and the reason of each request, without keys', async () => {
    const start = performance.now() + 60_000; // after those of other tests
    const expected: [seconds: number, line: object][] = [
      [0, { err: expect.any(Error) }],
      [0, { reason: expect.stringMatching(/^Later: no answer to (?!sp_0{46}).*: string$/) }],
      [9.999, { reason: expect.any(String) }],
      [10, { err: expect.any(Error) }],
      [19.999, { reason: expect.any(String) }],
      [20, { err: expect.any(Error) }],
    ];
    for (const [seconds, line] of expected) {
      vi.spyOn(performance, 'now').mockReturnValue(start + seconds * 1_000);
      const { request_id, lines } = await logged('UnavailableCaused');
      expect([seconds, lines]).toEqual([seconds, [[{ request_id, ...line }, 'unavailable']]]);
      vi.restoreAllMocks();
    }
  });
});

describe("NestJS's pipes", () => {
  it.each([
    ['/one/x', 'Validation failed (uuid is expected)'],
    ['/pipes/int?value=x', 'Validation failed (numeric string is expected)'],
    ['/pipes/enum?value=green', 'Validation failed (enum string is expected)'],
    ['/pipes/bool?value=maybe', 'Validation failed (boolean string is expected)'],
  ])('refuse %s: 400 validation_failed', async (path, detail) => {
    const { status, body } = await ask(path);
    expect([status, body.code, body.detail]).toEqual([400, 'validation_failed', detail]);
  });

  it.each([
    ['/pipes/int?value=5', 5],
    ['/pipes/enum?value=red', 'red'],
    ['/pipes/bool?value=false', false],
    ['/pipes/bool', true],
    ['/pipes/own?value=abc', 'ABC'],
  ])('convert %s', async (path, data) => {
    const { status, body } = await ask(path);
    expect([status, body]).toEqual([200, { data }]);
  });

  it('ValidationPipe gets a body that is valid already', async () => {
    const note = { id: ID, title: 'abc' };
    expect((await post('/piped', note)).body.data).toEqual(note);
    expect((await post('/piped', { ...note, title: 'abcd' })).body.errors).toMatchObject([
      { code: 'too_long', pointer: '#/title' },
    ]);
  });
});

describe('mapped types', () => {
  it('PartialType(PickType()) takes the picked fields, all optional, and no others', async () => {
    expect((await post('/picked', {})).body.data).toEqual({});
    const picked = { name: 'API', description: '' };
    expect((await post('/picked', picked)).body.data).toEqual(picked);
    const { body } = await post('/picked', { name: '', project_id: ID });
    expect(body.errors).toEqual([
      expect.objectContaining({ code: 'unknown_field', pointer: '#/project_id' }),
      { code: 'too_short', detail: 'must have 1 to 200 characters', pointer: '#/name' },
    ]);
  });

  it('PartialType lets null into no field of ours', async () => {
    const { status, body } = await post('/picked', { name: null });
    expect([status, body.errors]).toEqual([
      400,
      [{ code: 'invalid_type', detail: 'must be a string', pointer: '#/name' }],
    ]);
  });

  it('IntersectionType(OmitType(), …) takes the fields of both', async () => {
    const mapped = { name: 'API', pinned: true };
    expect((await post('/mapped', mapped)).body.data).toEqual(mapped);
    const { body } = await post('/mapped', { project_id: ID });
    expect(body.errors).toMatchObject([
      { code: 'unknown_field', pointer: '#/project_id' },
      { code: 'required', pointer: '#/name' },
      { code: 'required', pointer: '#/pinned' },
    ]);
  });

  it("PartialType takes a DTO of class-validator's decorators", async () => {
    expect((await ask('/partial', { method: 'PATCH', json: { title: 'ab' } })).body.data).toEqual({
      title: 'ab',
    });
    const { body } = await ask('/partial', { method: 'PATCH', json: { title: 'abcd' } });
    expect(body.errors).toMatchObject([{ code: 'too_long', pointer: '#/title' }]);
  });

  it('are in the OpenAPI document', async () => {
    const { text } = await server.ask('/openapi.json');
    const schemas: unknown = JSON.parse(text).components.schemas;
    expect(schemas).toMatchObject({
      PickedDto: {
        additionalProperties: false,
        properties: {
          name: { type: 'string', minLength: 1, maxLength: 200 },
          description: { type: 'string', maxLength: 2_000 },
        },
      },
      MappedDto: { required: ['name', 'pinned'] },
      PartialNoteDto: { properties: { title: { type: 'string', maxLength: 3 } } },
    });
    expect(schemas).not.toHaveProperty('PickedDto.required');
  });
});

describe('parameters of a handler', () => {
  it("@Query('name') declares a parameter, beside a DTO, too; its value is not converted", async () => {
    expect((await ask('/query?verbose=1')).body).toEqual({ data: { verbose: '1' } });
    expect((await ask('/query')).body).toEqual({ data: {} });
    expect((await ask('/named?verbose=1&top=5')).body).toEqual({ data: { verbose: '1', top: 5 } });
  });

  it.each([
    ['/query?other=1', 'unknown_parameter', 'other'],
    ['/query?verbose=1&verbose=2', 'repeated_parameter', 'verbose'],
    ['/named?other=1', 'unknown_parameter', 'other'],
    ['/named?verbose=1&verbose=2', 'repeated_parameter', 'verbose'],
    ['/named?top=6', 'out_of_range', 'top'],
  ])('%s is 400 %s', async (path, code, parameter) => {
    const { status, body } = await ask(path);
    expect([status, body.errors]).toMatchObject([400, [{ code, parameter }]]);
  });

  it('@Headers(), @Headers(name), @Param(name) without a pipe, @Param(), @Req() and @Res() work', async () => {
    const headers = { 'X-Color': 'red' };
    expect((await ask('/headers', { headers })).body).toEqual({ data: { all: 'red', color: 'red' } });
    expect((await ask('/params/X/Y')).body).toEqual({ data: { id: 'X', other: 'Y' } });
    const { status, body } = await ask('/express');
    expect([status, body]).toEqual([202, { data: 'GET' }]);
  });
});

describe('the application', () => {
  it('starts in Test.createTestingModule, with a provider of its own', async () => {
    const env = loadEnv(environment({ LOG_LEVEL: 'silent', DEMO: 'false', ...server.databaseEnv }));
    const testing = await Test.createTestingModule({ imports: [AppModule] })
      .overrideProvider(Env)
      .useValue(env)
      .compile();
    const app = testing.createNestApplication({ logger: false });
    try {
      await app.init();
      expect(app.get(Env)).toBe(env);
      expect(await app.get(OrganizationsService).create('Ours')).toMatchObject({ name: 'Ours' });
    } finally {
      await app.close();
    }
  });

  it('takes its environment as an argument, and leaves that of the process alone', async () => {
    const before = { ...process.env };
    const app = await createApp(
      environment({ LOG_LEVEL: 'silent', DEMO: 'false', RATE_LIMIT: '7', ...server.databaseEnv }),
    );
    try {
      expect(app.get(Env)).toMatchObject({ RATE_LIMIT: 7, DEMO: false });
      expect(process.env).toEqual(before);
    } finally {
      await app.close();
    }
    await expect(createApp({ EMBEDDED: 'true', PORT: '-1' })).rejects.toThrow('PORT must be');
  });

  it.each([
    [FieldByFieldModule, 'CarelessController.create: take the body as one DTO class', false],
    [LooseModule, 'LooseController.create: LooseDto.inner: add @ValidateNested()', true],
    [VariantModule, 'VariantController.create: VariantDto.inner: discriminators', true],
    [UntypedModule, 'UntypedController.create: import its DTO class as a value', false],
  ])(
    'does not start with a handler whose input nobody would validate: %o',
    async (module, message, isCaused) => {
      const app = await createApp(
        environment({ LOG_LEVEL: 'silent', DEMO: 'false', ...server.databaseEnv }),
        module,
      );
      try {
        const starting = app.init();
        await expect(starting).rejects.toThrow(message);
        await expect(starting.catch(({ cause }: Error) => cause instanceof Error)).resolves.toBe(isCaused);
      } finally {
        await app.close();
      }
    },
  );
});
