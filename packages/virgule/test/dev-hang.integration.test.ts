import { expect, it } from 'vitest';
import { startDev, type RunningDev } from './running-dev.js';
import { answering, BLOCKING } from './test-project.js';
import { until } from './until.js';

interface Interaction {
  readonly id: string;
  readonly state: string;
}

/** Returns the states of these interactions. */
async function statesOf(dev: RunningDev, ids: readonly string[]): Promise<string[]> {
  const { interactions } = (await dev.get('/_sim/world')) as { interactions: Interaction[] };
  return ids.map((id) => interactions.find((each) => each.id === id)?.state ?? 'unknown');
}

// At the same time: both wait for seconds until a process counts as blocked.
it.concurrent('loses no command when one ends its process and the next one blocks it', async () => {
  await using dev = await startDev({
    'commands/die.ts': `export default { description: 'D', run: () => process.exit(1) };`,
    'commands/spin.ts': `export default { description: 'S', run: () => { ${BLOCKING} } };`,
    'commands/hello.ts': answering('hello'),
  });
  const ids = [await dev.type('/die'), await dev.type('/spin'), await dev.type('/hello')];
  await until(async () =>
    expect(await statesOf(dev, ids)).toEqual(['answered', 'answered', 'answered']),
  );
  const lost = dev.reports.filter(({ type }) => type === 'lost').map(({ how }) => how);
  expect(lost).toContain('no response for 5 s, most likely in /spin (commands/spin.ts)');
  expect(dev.reports.map(({ type }) => type)).not.toContain('expired');
});

it.concurrent('names a file that never finishes loading, and loads the rest after the fix', async () => {
  await using dev = await startDev({ 'commands/hello.ts': answering('hello') });
  await dev.project.write('commands/loop.ts', BLOCKING);
  expect(await dev.reported('lost')).toMatchObject({
    how: expect.stringMatching(/most likely in the change of commands\/loop\.ts$/),
  });
  const id = await dev.type('/hello');
  const loading = { type: 'loading', file: 'commands/loop.ts' };
  await until(() => expect(dev.reports).toContainEqual(expect.objectContaining(loading)));
  await dev.project.write('commands/loop.ts', answering('ends'));
  await until(async () => expect(await statesOf(dev, [id])).toEqual(['answered']));
  await dev.registered('hello', 'loop');
  expect(await dev.say('/loop')).toBe('ends');
});
