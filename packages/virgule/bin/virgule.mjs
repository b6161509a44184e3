#!/usr/bin/env node
// Committed, so that package managers can link the command before the first build.
const { versions } = process;
const [major = 0, minor = 0] = versions.node.split('.').map(Number);
// An older version cannot even read the imports of the program.
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`virgule requires Node.js 20.19 or newer; this is ${versions.node}.\n`);
  process.exit(78);
}
await import('../dist/bin/virgule.js');
