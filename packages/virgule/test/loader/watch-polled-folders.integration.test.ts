import { expect, it } from 'vitest';
import { continuesIn, rowsOf } from './moved-folders.js';

// At the same time, as chokidar polls in real time.
it('continues in a folder that is deleted twice and comes back, where files are polled', async () => {
  const rows = rowsOf('files are polled');
  const counts = await Promise.all(rows.map((row) => continuesIn(...row)));
  expect(counts).toEqual(Array.from({ length: 12 }, () => 4));
});
