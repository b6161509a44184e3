import { describe, expect, it } from 'vitest';
import { SOON, setUpBrowser } from './browser-harness.js';

describe('the faults of the inspector', () => {
  const harness = setUpBrowser();

  it('are switched, counted, and shown in the top bar until all are off', async () => {
    const page = await harness.open({ viewport: { width: 1440, height: 900 } });
    await page.getByRole('button', { name: 'Open inspector' }).click();
    await page.getByRole('tab', { name: 'Faults' }).click();
    await page.getByRole('switch', { name: 'rate limited' }).check();
    await page.getByRole('switch', { name: 'slow API' }).check();
    await page.getByRole('button', { name: '2 faults on' }).waitFor();
    await page.getByText('hit 2 times').first().waitFor();
    await page.getByRole('switch', { name: 'rate limited' }).uncheck();
    await page.getByRole('button', { name: '1 fault on' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: '1 fault on' }).click();
    await page.getByRole('button', { name: 'Turn all off' }).click();
    await expect.poll(() => page.getByRole('button', { name: /faults? on/ }).count(), SOON).toBe(0);
  });

  it('are written as JSON, and refused with the reason', async () => {
    const page = await harness.open({ viewport: { width: 1440, height: 900 } });
    await page.getByRole('button', { name: 'Open inspector' }).click();
    await page.getByRole('tab', { name: 'Faults' }).click();
    await page.getByRole('button', { name: 'Rules as JSON' }).click();
    const draft = page.getByLabel('Rules as JSON');
    await draft.fill('{');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('The rules are not JSON.').waitFor();
    const mine = { name: 'mine', on: { frame: '*' }, do: { type: 'lose' } };
    await draft.fill(JSON.stringify({ rules: [mine] }));
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('button', { name: '1 fault on' }).waitFor();
    await page.getByRole('listitem').filter({ hasText: 'mine' }).getByText('lose').waitFor();
    await page.getByRole('button', { name: 'Drop the connection' }).click();
    await expect
      .poll(() => harness.sim.requests.map(({ path }) => path), SOON)
      .toContain('/_sim/drop');
  });
});
