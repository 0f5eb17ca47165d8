import { runCli } from './run-cli.js';

process.stdout.on('error', () => undefined); // if the pipe is closed, finish the command and close the database

process.exitCode = await runCli(process.argv.slice(2), process);
