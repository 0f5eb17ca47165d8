import { runCli } from './run-cli.js';

process.stdout.on('error', () => undefined); // a closed pipe: finish the command and close the database

process.exitCode = await runCli(process.argv.slice(2), process);
