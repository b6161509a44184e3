import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findPromtool } from './promtool.mjs';
import { root } from './repository.mjs';

const folder = join(root, 'packages/virgule/monitoring');

const promtool = (...words) =>
  execFileSync(findPromtool() ?? 'promtool', words, { encoding: 'utf8' });

/** Checks a file of rules, and returns what promtool says. */
const check = (file) => promtool('check', 'rules', file);

/** Writes a file of rules or tests. */
function write(content) {
  const temporary = mkdtempSync(join(tmpdir(), 'virgule-rules-'));
  onTestFinished(() => rmSync(temporary, { recursive: true }));
  const file = join(temporary, 'rules.yml');
  writeFileSync(file, JSON.stringify(content));
  return file;
}

it('has alerts that Prometheus accepts', () => {
  expect(check(join(folder, 'alerts.yml'))).toMatch(/SUCCESS: \d+ rules found/);
});

it('has an alert for a bot that does not run', () => {
  const summary = (bot) => `Prometheus has not reached the bot ${bot} for 5 minutes.`;
  const fires = (labels, bot) => ({
    exp_labels: { severity: 'critical', job: 'virgule', ...labels },
    exp_annotations: { summary: summary(bot) },
  });
  const at = (eval_time, ...exp_alerts) => ({ eval_time, alertname: 'BotDown', exp_alerts });
  const series = 'up{job="virgule",instance="bot:9090"}';
  const file = write({
    rule_files: [join(folder, 'alerts.yml')],
    tests: [
      {
        interval: '1m',
        input_series: [{ series, values: '1x3 0x10' }],
        alert_rule_test: [at('7m'), at('12m', fires({ instance: 'bot:9090' }, 'bot:9090'))],
      },
      { interval: '1m', input_series: [], alert_rule_test: [at('6m', fires({}, ''))] },
    ],
  });
  expect(promtool('test', 'rules', file)).toContain('SUCCESS');
});

it('has an alert for a bot without a connection, which a standby gateway needs not', () => {
  const summary = 'The bot bot:1 has had no connection for 5 minutes.';
  const exp_labels = { severity: 'critical', instance: 'bot:1' };
  const ready = (instance) => `virgule_gateway_ready{instance="${instance}"}`;
  const standby = (instance) => `virgule_scale{figure="standby",instance="${instance}"}`;
  const input_series = [
    { series: ready('bot:1'), values: '0x10' },
    { series: ready('gateway:1'), values: '1x10' },
    { series: standby('gateway:1'), values: '0x10' },
    { series: ready('gateway:2'), values: '0x10' },
    { series: standby('gateway:2'), values: '1x10' },
  ];
  const exp_alerts = [{ exp_labels, exp_annotations: { summary } }];
  const alert_rule_test = [{ eval_time: '9m', alertname: 'BotNotConnected', exp_alerts }];
  const tests = [{ interval: '1m', input_series, alert_rule_test }];
  const file = write({ rule_files: [join(folder, 'alerts.yml')], tests });
  expect(promtool('test', 'rules', file)).toContain('SUCCESS');
});

it('has a dashboard whose queries Prometheus accepts', () => {
  const { panels } = JSON.parse(readFileSync(join(folder, 'grafana.json'), 'utf8'));
  const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  // Grafana replaces its variables before it sends a query.
  const rules = queries.map((expr, index) => ({
    record: `query:${index}`,
    expr: expr.replaceAll('$__rate_interval', '5m').replaceAll('$command', '.*'),
  }));
  const file = write({ groups: [{ name: 'dashboard', rules }] });
  expect(check(file)).toContain(`SUCCESS: ${queries.length} rules found`);
});
