import { expect, it } from 'vitest';
import { endpointsPage } from './endpoints-page.js';

it('docs/reference/endpoints.md is what the tables say: run `node packages/tools/write-pages.mjs` when it is not', async () => {
  await expect(endpointsPage()).toMatchFileSnapshot('../../../docs/reference/endpoints.md');
});
