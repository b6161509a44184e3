import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cpuMicros, cpuMicrosOf, memoryOf, treeOf } from './process-usage.js';

const own = [process.pid];

// Reads /proc.
describe.skipIf(!existsSync('/proc/self/schedstat'))('the usage of a process', () => {
  it('contains the CPU time of the process', () => {
    const [before, ownBefore] = [cpuMicrosOf(own), cpuMicros()];
    while (cpuMicros() - ownBefore < 50_000);
    expect(cpuMicrosOf(own) - before).toBeGreaterThan(40_000);
  });

  it('contains the memory of all processes', () => {
    const { rssMiB, peakMiB, pssMiB } = memoryOf(own);
    expect(pssMiB).toBeGreaterThan(1);
    expect(rssMiB).toBeGreaterThanOrEqual(pssMiB * 0.9);
    expect(peakMiB).toBeGreaterThanOrEqual(rssMiB * 0.9);
    expect(memoryOf([...own, ...own]).rssMiB).toBeGreaterThan(rssMiB * 1.5);
  });

  it('starts with the process itself in a tree', () => {
    expect(treeOf(process.pid)[0]).toBe(process.pid);
  });
});
