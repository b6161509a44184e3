import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findPromtool } from './promtool.mjs';
import { root } from './repository.mjs';

const folder = join(root, 'packages/virgule/monitoring');

/** Checks a file of rules, and returns what promtool says. */
const check = (file) =>
  execFileSync(findPromtool() ?? 'promtool', ['check', 'rules', file], { encoding: 'utf8' });

it('has alerts that Prometheus accepts', () => {
  expect(check(join(folder, 'alerts.yml'))).toMatch(/SUCCESS: \d+ rules found/);
});

it('has a dashboard whose queries Prometheus accepts', () => {
  const { panels } = JSON.parse(readFileSync(join(folder, 'grafana.json'), 'utf8'));
  const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  // Grafana replaces its variables before it sends a query.
  const rules = queries.map((expr, index) => ({
    record: `query:${index}`,
    expr: expr.replaceAll('$__rate_interval', '5m').replaceAll('$command', '.*'),
  }));
  const temporary = mkdtempSync(join(tmpdir(), 'virgule-rules-'));
  onTestFinished(() => rmSync(temporary, { recursive: true }));
  const file = join(temporary, 'rules.yml');
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
  expect(check(file)).toContain(`SUCCESS: ${queries.length} rules found`);
});
