import './require-node.mjs';

// Imported after the check above, because the steps may use features of newer Node.js versions.
const { allSteps, gateSteps } = await import('./test-steps.mjs');

const withoutInstall = process.argv.includes('--no-install');
let passed = 0;
let failed = 0;
/** @type {string[]} */
const notes = [];

for (const { name, run } of process.argv.includes('--all') ? allSteps : gateSteps) {
  if (withoutInstall && name === 'install') continue;
  console.log(`\n── ${name}`);
  const startedAt = performance.now();
  const { ok, output, skipped } = await run();
  const seconds = `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
  if (skipped !== undefined) {
    notes.push(`skipped: ${name}: ${skipped}`);
    console.log(`── ${name} skipped: ${skipped}`);
  } else if (ok) {
    passed += 1;
    console.log(`── ${name} passed (${seconds})`);
  } else {
    failed += 1;
    if (output) console.error(output.trim());
    notes.push(`failed: ${name} (${seconds}); the following steps were not run`);
    break;
  }
}

console.log(`\n${[...notes, `${passed} passed, ${failed} failed`].join('\n')}`);
process.exitCode = failed === 0 ? 0 : 1;
