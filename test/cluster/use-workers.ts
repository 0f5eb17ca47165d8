import { Agent } from 'node:http';
import { answerOn } from '../support/http-agent.js';
import { Program, startProgram } from '../support/process.js';
import type { TestServer } from '../support/server.js';

/** A server with several workers, on the database of a test server. */
export interface Workers {
  program: Program;
  url: string;
  /** The process IDs of the workers, from the output of the startup. */
  pids: number[];
}

export async function startWorkers(server: TestServer, env: Record<string, string> = {}): Promise<Workers> {
  const program = await startProgram({ WEB_CONCURRENCY: '2', ...server.databaseEnv, ...env });
  const [line = ''] = /^.*listens on.*$/m.exec(program.stdout) ?? [];
  return { program, url: program.url, pids: pidsOf(line) };
}

/** The process IDs in the log message about the listening workers. */
export function pidsOf(line: string): number[] {
  const { pids }: { pids: number[] } = JSON.parse(line);
  return pids;
}

/** Connections that stay open. The primary distributes them to the workers in turn. */
export function openConnections(count: number): Agent[] {
  return Array.from({ length: count }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
}

/** The statuses of a request that is sent on each connection concurrently. */
export async function askAll(
  connections: Agent[],
  url: string,
  key?: string,
): Promise<(number | undefined)[]> {
  const answers = await Promise.all(connections.map((agent) => answerOn(agent, url, key)));
  return answers.map(({ status }) => status);
}

/** The workers that have logged a request. */
export function workersIn({ stdout }: Program, path: string): number[] {
  const lines = stdout.split('\n').filter((line) => line.includes(`"path":"${path}"`));
  return [...new Set(lines.map((line) => Number(/"pid":(\d+)/.exec(line)?.[1])))];
}
