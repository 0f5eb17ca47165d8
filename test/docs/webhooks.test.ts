import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../support/free-port.js';
import { until, useTenant, useTestServer } from '../support/server.js';

const server = useTestServer({ DELIVERY: 'on', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8,::1' });
const tenant = useTenant(server);

let text = '';
let directory = '';
beforeAll(async () => {
  text = await readFile('docs/webhooks.md', 'utf8');
  directory = await mkdtemp(join(tmpdir(), 'status-pages-webhooks-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

/** Returns the first block of code in a language after a heading. */
function codeOf(language: string, heading = '# Webhooks'): string {
  const [, after = ''] = text.split(`${heading}\n`);
  const [, code] = new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(after) ?? [];
  if (code === undefined) throw new Error(`no ${language} after ${heading}`);
  return code;
}

describe('the receiver of docs/webhooks.md', () => {
  let receiver: ChildProcess | undefined;
  afterAll(() => void receiver?.kill());

  it('prints the event of a new incident, and rejects forged and old messages', async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/`;
    const send = async (path: string, json: object): Promise<{ id: string; secret: string }> => {
      const { body, status } = await server.ask<{ data: { id: string; secret: string } }>(path, {
        method: 'POST',
        key: tenant.key,
        json,
      });
      expect(status).toBeLessThan(300);
      return body.data;
    };
    const { secret } = await send('/v1/webhook-endpoints', { project_id: tenant.project_id, url });
    const code = codeOf('js');
    expect(code.trim().split('\n').length).toBeLessThan(28);
    await writeFile(join(directory, 'receiver.mjs'), code);
    const env = { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) };
    receiver = spawn(process.execPath, ['receiver.mjs'], { cwd: directory, env });
    let output = '';
    receiver.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const respond = (headers: Record<string, string>) =>
      fetch(url, { method: 'POST', headers, body: '{"type":"forged","data":{}}' }).then(
        ({ status }) => status,
        () => undefined,
      );
    expect(await until(() => respond({}))).toBe(401);
    const signed = (at: Date, by: string) => ({
      'webhook-id': '1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(by).sign('1', at, '{"type":"forged","data":{}}'),
    });
    expect(await respond(signed(new Date(), randomBytes(32).toString('base64')))).toBe(401);
    expect(await respond(signed(new Date(Date.now() - 310_000), secret))).toBe(401);
    const incident = { project_id: tenant.project_id, title: 'Errors on the API', status: 'investigating' };
    await send('/v1/incidents', incident);
    await until(async () => output.includes('incident.created'));
    expect(output).toBe('incident.created Errors on the API\n');
  });

  it('stops without a secret', async () => {
    await writeFile(join(directory, 'receiver.mjs'), codeOf('js'));
    const env = { ...process.env, WEBHOOK_SECRET: '' };
    const start = () =>
      execFileSync(process.execPath, ['receiver.mjs'], {
        cwd: directory,
        env,
        stdio: 'pipe',
        encoding: 'utf8',
      });
    expect(start).toThrow(/Set WEBHOOK_SECRET/);
  });
});

/** Reads `{"body", "headers", "secret"}` from standard input, and prints whether the message is verified. */
const HARNESSES = {
  python: {
    file: 'verify.py',
    command: ['python3'],
    wrap: (code: string) =>
      `${code}\nimport json, sys\nsent = json.load(sys.stdin)\nprint(str(verify(sent["body"].encode(), sent["headers"], sent["secret"])).lower())\n`,
  },
  go: {
    file: 'main.go',
    command: ['go', 'run'],
    wrap: (code: string) =>
      `package main\nimport (\n"crypto/hmac"\n"crypto/sha256"\n"encoding/base64"\n"encoding/json"\n"fmt"\n"math"\n"net/http"\n"os"\n"strconv"\n"strings"\n"time"\n)\n${code}\nfunc main() {\nvar sent struct { Body string; Headers map[string]string; Secret string }\njson.NewDecoder(os.Stdin).Decode(&sent)\nheader := http.Header{}\nfor name, value := range sent.Headers { header.Set(name, value) }\nfmt.Println(verify([]byte(sent.Body), header, sent.Secret))\n}\n`,
  },
  ruby: {
    file: 'verify.rb',
    command: ['ruby'],
    wrap: (code: string) =>
      `${code}\nrequire "json"\nsent = JSON.parse(STDIN.read)\nputs verify(sent["body"], sent["headers"], sent["secret"])\n`,
  },
  php: {
    file: 'verify.php',
    command: ['php'],
    wrap: (code: string) =>
      `<?php\n${code}\n$sent = json_decode(file_get_contents('php://stdin'), true);\necho verify($sent['body'], $sent['headers'], $sent['secret']) ? 'true' : 'false';\n`,
  },
};

const SECRET = `whsec_${randomBytes(32).toString('base64')}`;
const BODY = '{"type":"incident.created","data":{"title":"Größe 💥"}}';

interface Sent {
  body: string;
  headers: Record<string, string>;
  secret: string;
}

/** Messages, and whether they are verified. */
function messages(): [Sent, boolean][] {
  const signed = (at: Date, secrets = [SECRET]): Record<string, string> => ({
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign('msg_1', at, BODY)).join(' '),
  });
  const other = `whsec_${randomBytes(32).toString('base64')}`;
  const now = new Date();
  const headers = signed(now);
  return [
    [{ body: BODY, headers, secret: SECRET }, true],
    [{ body: BODY, headers: signed(now, [other, SECRET]), secret: SECRET }, true],
    [{ body: `${BODY} `, headers, secret: SECRET }, false],
    [{ body: BODY, headers, secret: other }, false],
    [{ body: BODY, headers: { ...headers, 'webhook-id': 'msg_2' }, secret: SECRET }, false],
    [{ body: BODY, headers: { ...headers, 'webhook-signature': 'v1,' }, secret: SECRET }, false],
    [{ body: BODY, headers: signed(new Date(now.getTime() - 900_000)), secret: SECRET }, false],
    [{ body: BODY, headers: signed(new Date(now.getTime() + 900_000)), secret: SECRET }, false],
  ];
}

describe('the functions of docs/webhooks.md', () => {
  const heading = { python: 'Python', go: 'Go', ruby: 'Ruby', php: 'PHP' };

  /** Returns what a program prints for each message. */
  async function printedBy(language: keyof typeof HARNESSES): Promise<string[]> {
    const { file, command, wrap } = HARNESSES[language];
    await writeFile(join(directory, file), wrap(codeOf(language, `### ${heading[language]}`)));
    const [program = '', ...parameters] = [...command, join(directory, file)];
    return messages().map(([sent]) =>
      execFileSync(program, parameters, { input: JSON.stringify(sent), encoding: 'utf8' }).trim(),
    );
  }
  const expected = messages().map(([, isVerified]) => String(isVerified));

  it('verify messages in Python', { tags: ['python'] }, async () => {
    expect(await printedBy('python')).toEqual(expected);
  });

  it('verify messages in Go', { tags: ['go'] }, async () => {
    expect(await printedBy('go')).toEqual(expected);
  });

  it('verify messages in Ruby', { tags: ['ruby'] }, async () => {
    expect(await printedBy('ruby')).toEqual(expected);
  });

  it('verify messages in PHP', { tags: ['php'] }, async () => {
    expect(await printedBy('php')).toEqual(expected);
  });
});
