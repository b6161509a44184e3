import { expect, it, vi } from 'vitest';
import { beforeLoading, beginStep } from './loading-steps.js';

it('calls back before the first file of a process is loaded, and not again', () => {
  const started = vi.fn();
  beforeLoading(started);
  expect(started).not.toHaveBeenCalled();
  const end = beginStep({ file: 'a.ts' });
  beginStep({ file: 'b.ts' })();
  end();
  beginStep({ file: 'a.ts' })();
  expect(started).toHaveBeenCalledOnce();
});
