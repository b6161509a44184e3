import { createRest, type Rest } from '@virgule/client/rest';
import { startSimulator, type Simulator } from '@virgule/simulator';
import { onTestFinished } from 'vitest';

/** A simulator on which `/x` is registered, and calls to it. Both are closed after the test. */
export async function openRestOnSimulator(): Promise<{ platform: Simulator; rest: Rest }> {
  const platform = await startSimulator();
  const rest = createRest(platform);
  onTestFinished(async () => {
    await rest.close();
    await platform.close();
  });
  await rest.commands.replace([{ name: 'x', description: 'X', options: [] }]);
  return { platform, rest };
}
