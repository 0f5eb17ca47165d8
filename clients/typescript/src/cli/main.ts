import { runCommand } from './run.js';

// Without this, a closed pipe, as in `status-pages incident list | head -1`, would end the command with a stack trace.
process.stdout.on('error', () => undefined);

process.exitCode = await runCommand(process.argv.slice(2), process);
