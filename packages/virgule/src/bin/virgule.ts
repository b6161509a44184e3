#!/usr/bin/env node
/** Commands that people start often. The script takes 4 MB of memory in a process that keeps running. */
const OFTEN = ['--version', 'build', 'check', 'deploy', 'dev', 'doctor', 'fuzz', 'run', 'sim'];

const [command = ''] = process.argv.slice(2);
const cached =
  OFTEN.includes(command) && process.versions.bun === undefined
    ? (await import('../process/cached-cli.js')).loadCachedCli(command)
    : undefined;
const { main } = cached ?? (await import('./cli.js'));
await main();
