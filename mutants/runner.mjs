import { appendFileSync, readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { commonTokens, declareFactoryPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin';
import { MutantRunStatus } from '@stryker-mutator/api/test-runner';
import { strykerPlugins as officialPlugins, strykerValidationSchema } from '@stryker-mutator/vitest-runner';
import { ForksPoolWorker } from 'vitest/node';

// A new process takes seconds for its modules, server and database. A test in a running process takes milliseconds.
const MAX_RUNS = 150;
const BY_TIME = /timed out|waited|less than/;
const LOG = process.env.MUTANTS_LOG;
const SEED = process.env.SEED ?? '13';

/** The process that the runs share, and the number of its runs. */
let kept;
let runs = 0;

process.once('exit', () => kept?.fork.kill('SIGKILL'));

async function retire() {
  const worker = kept;
  kept = undefined;
  runs = 0;
  await worker?.stop();
}

/** A Vitest worker whose process outlives it. A mutant in code that runs at import uses a separate process. */
class KeptWorker {
  name = 'kept';
  cacheFs = true;
  listeners = [];
  isReused = false;

  constructor(options) {
    this.options = options;
    const { mode, mutantActivation } = options.project.getProvidedContext();
    this.isKept = mode === 'mutant' && mutantActivation === 'runtime';
  }

  async start() {
    if (this.isKept && runs >= MAX_RUNS) await retire();
    this.isReused = this.isKept && kept !== undefined;
    this.forks = this.isReused ? kept : new ForksPoolWorker(this.options);
    if (!this.isReused) await this.forks.start();
    if (!this.isKept) return;
    runs++;
    if (kept === this.forks) return;
    kept = this.forks;
    kept.on('exit', () => {
      if (kept === this.forks) kept = undefined;
    });
  }

  on(event, listener) {
    this.listeners.push([event, listener]);
    this.forks.on(event, listener);
  }

  off(event, listener) {
    this.forks.off(event, listener);
  }

  send(message) {
    if (message.type === 'start' && this.isReused) this.answer('started');
    else if (message.type === 'stop' && this.isKept) this.answer('stopped');
    else if (message.type === 'run') this.forks.send({ ...message, context: this.contextOf(message) });
    else this.forks.send(message);
  }

  /** The context of a run, with the configuration, which a new process receives on startup. */
  contextOf({ context }) {
    return { ...context, config: this.options.project.serializedConfig };
  }

  answer(type) {
    const response = { __vitest_worker_response__: true, type };
    setImmediate(() => {
      for (const [event, listener] of this.listeners) if (event === 'message') listener(response);
    });
  }

  deserialize(data) {
    return data;
  }

  async stop() {
    if (!this.isKept) return this.forks.stop();
    for (const [event, listener] of this.listeners) this.forks.off(event, listener);
  }
}

/**
 * The runner of `@stryker-mutator/vitest-runner` in a process that its runs share. A mutant is killed if a test fails
 * with it, and then passes without it in the same process. Otherwise it is tried again in a new process.
 *
 * Environment variables select mutants: SAMPLE=0.2 a fifth at random, SAMPLE=0.2-0.5 three tenths of the others,
 * ONLY=report.json the mutants of a report that were ignored as static, survived, or had no coverage. The others
 * count as errors, which are not part of the score.
 */
class KeptRunner {
  constructor(official, log) {
    this.official = official;
    this.log = log;
    const { SAMPLE = '1', ONLY } = process.env;
    [this.from, this.to] = (SAMPLE.includes('-') ? SAMPLE : `0-${SAMPLE}`).split('-').map(Number);
    this.wanted = ONLY ? new Set(openMutants(JSON.parse(readFileSync(ONLY, 'utf8')))) : undefined;
  }

  capabilities() {
    return this.official.capabilities();
  }

  async init() {
    await this.official.init();
    for (const { config } of this.official.ctx.projects) {
      config.pool = 'kept';
      config.poolRunner = { name: 'kept', createPoolWorker: (options) => new KeptWorker(options) };
    }
  }

  dryRun(options) {
    return this.official.dryRun(options);
  }

  async mutantRun(options) {
    if (!this.isChosen(options.activeMutant))
      return { status: MutantRunStatus.Error, errorMessage: 'not chosen' };
    const started = Date.now();
    const result = await this.judge(options);
    if (LOG) {
      const { status, killedBy } = result;
      const ms = Date.now() - started;
      appendFileSync(LOG, `${JSON.stringify({ ...options.activeMutant, status, killedBy, ms })}\n`);
    }
    return result;
  }

  isChosen(mutant) {
    const key = keyOf(mutant);
    const share = createHash('sha256').update(`${SEED} ${key}`).digest().readUInt32BE() / 2 ** 32;
    return share >= this.from && share < this.to && (!this.wanted || this.wanted.has(key));
  }

  async judge(options) {
    const result = await this.run(options);
    if (result.status === MutantRunStatus.Survived || options.mutantActivation === 'static') return result;
    if (result.status === MutantRunStatus.Killed && (await this.isReproducible(options, result)))
      return result;
    this.log.info(`Mutant ${options.activeMutant.id} (${result.status}) again in a new process`);
    await retire();
    return this.run(options);
  }

  /** The official runner treats a file whose `beforeAll` fails as a file without tests. */
  async run(options) {
    const result = await this.official.mutantRun(options);
    if (result.status !== MutantRunStatus.Survived) return result;
    const failed = this.official.ctx.state.getFiles().find((file) => file.result?.state === 'fail');
    if (!failed) return result;
    const first = options.testFilter?.find((id) => failed.filepath.endsWith(`/${id.split('#')[0]}`));
    const failureMessage = failed.result.errors?.[0]?.message ?? 'beforeAll failed';
    return { status: MutantRunStatus.Killed, killedBy: [first ?? failed.name], failureMessage, nrOfTests: 1 };
  }

  /** Whether the tests pass without the mutant; after a timeout, whether they also fail with it again. */
  async isReproducible(options, { killedBy: testFilter, failureMessage }) {
    const none = { ...options.activeMutant, id: 'none' };
    const without = await this.run({ ...options, testFilter, activeMutant: none });
    if (without.status !== MutantRunStatus.Survived) return false;
    if (!BY_TIME.test(failureMessage)) return true;
    return (await this.run({ ...options, testFilter })).status === MutantRunStatus.Killed;
  }

  async dispose() {
    await retire();
    await this.official.dispose();
  }
}

function createRunner(injector, log) {
  const [{ factory }] = officialPlugins;
  return new KeptRunner(injector.injectFunction(factory), log);
}
createRunner.inject = tokens(commonTokens.injector, commonTokens.logger);

/** The identity of a mutant across runs on the same sources. */
function keyOf({ fileName, location: { start, end }, mutatorName, replacement }) {
  const path = fileName.slice(fileName.lastIndexOf('src/'));
  // Lines count from 0 in a run, and from 1 in its report.
  return JSON.stringify([path, mutatorName, replacement, start.line, start.column, end.line, end.column]);
}

function openMutants({ files }) {
  return Object.entries(files).flatMap(([fileName, { mutants }]) =>
    mutants
      .filter(({ status }) => ['Ignored', 'Survived', 'NoCoverage'].includes(status))
      .map(({ location, ...mutant }) => keyOf({ ...mutant, fileName, location: fromOne(location) })),
  );
}

function fromOne({ start, end }) {
  const shift = ({ line, column }) => ({ line: line - 1, column: column - 1 });
  return { start: shift(start), end: shift(end) };
}

export const strykerPlugins = [declareFactoryPlugin(PluginKind.TestRunner, 'kept', createRunner)];
export { strykerValidationSchema };
