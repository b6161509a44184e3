import { expect, it } from 'vitest';
import { SIM_ACTIONS } from '../src/control/actions.js';
import { controlPage } from './control-page.js';

it('docs/reference/control-api.md is what the table says: run `node packages/tools/write-pages.mjs` when it is not', async () => {
  await expect(controlPage()).toMatchFileSnapshot('../../../docs/reference/control-api.md');
});

it('has actions whose names are unique, and sentences that begin with a verb', () => {
  const names = SIM_ACTIONS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { about } of SIM_ACTIONS) expect(about).toMatch(/^[A-Z][a-z]+s\b.*[^.]$/);
});
