import { expect, it, vi } from 'vitest';
import { beginStep, onLoadingStep } from './loading-steps.js';

it('calls back before each file is loaded, until another callback is set', () => {
  const started = vi.fn();
  onLoadingStep(started);
  expect(started).not.toHaveBeenCalled();
  const end = beginStep({ file: 'a.ts' });
  beginStep({ file: 'b.ts' })();
  end();
  onLoadingStep(() => {});
  beginStep({ file: 'a.ts' })();
  expect(started.mock.calls).toEqual([[{ file: 'a.ts' }], [{ file: 'b.ts' }]]);
});
