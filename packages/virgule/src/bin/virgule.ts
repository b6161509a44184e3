#!/usr/bin/env node
/** Commands that end soon. Processes that keep running use less memory without the cache. */
const SHORT = ['--version', 'build', 'check', 'deploy', 'doctor', 'fuzz', 'run', 'sim'];

const [command = ''] = process.argv.slice(2);
const cached =
  SHORT.includes(command) && process.versions.bun === undefined
    ? (await import('../process/cached-cli.js')).loadCachedCli(command)
    : undefined;
const { main } = cached ?? (await import('./cli.js'));
await main();
