import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';

const BIN = fileURLToPath(new URL('../bin/virgule-simulator.mjs', import.meta.url));

/** Starts the program, and collects its output. */
function start(...argv: string[]) {
  const child = spawn(process.execPath, [BIN, ...argv], { stdio: 'pipe' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const seen = { out: '', err: '' };
  child.stdout.on('data', (chunk) => (seen.out += String(chunk)));
  child.stderr.on('data', (chunk) => (seen.err += String(chunk)));
  return { child, seen, ended: once(child, 'close').then(([code]: unknown[]) => code) };
}

it('starts alone, answers a plain request, and ends with SIGTERM', async () => {
  const { child, seen, ended } = start(
    '--port',
    '0',
    '--json',
    '--users',
    '10',
    '--bots',
    'music, quiz',
  );
  await expect.poll(() => seen.out, { timeout: 60_000 }).toContain('\n');
  const { baseUrl, token, tokens } = JSON.parse(seen.out) as {
    baseUrl: string;
    token: string;
    tokens: Record<string, string>;
  };
  expect(tokens).toMatchObject({ 'demo-bot': token, quiz: expect.any(String) });
  for (const [username, each] of Object.entries(tokens)) {
    const headers = { authorization: `Bot ${each}` };
    const response = await fetch(`${baseUrl}/api/bot/v1/users/@me`, { headers });
    expect(await response.json()).toMatchObject({ username });
  }
  const snapshot = await fetch(`${baseUrl}/_sim/world`);
  expect(await snapshot.text()).toContain('"user-10"');
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});

it.each<[argv: readonly string[], reason: RegExp]>([
  [['--port', '99999'], /E_SIM_LISTEN/],
  [['--nothing'], /--nothing/],
  [['--users', '2000'], /E_SIM_SIZE.*saw 2000/],
  [['--bots', 'a b'], /E_SIM_REFUSED.*1 to 32 letters/s],
  [['--sockets', 'x'], /E_SIM_SIZE.*saw NaN/],
  [['--faults', '/nothing.json'], /ENOENT/],
])('ends with 1 and the reason for %j', async (argv, reason) => {
  const { seen, ended } = start(...argv);
  expect(await ended).toBe(1);
  expect(seen.err).toMatch(reason);
});

it('shows its flags', async () => {
  const { seen, ended } = start('--help');
  expect(await ended).toBe(0);
  expect(seen.out).toContain('--faults FILE');
});
