import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSecondLook } from './second-look.js';

function start() {
  const folder = mkdtempSync(path.join(tmpdir(), 'virgule-second-look-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'a.ts');
  writeFileSync(file, 'a');
  const clock = createFakeClock();
  const seen: string[] = [];
  const look = createSecondLook({
    clock,
    onChange: (changed) => seen.push(path.basename(changed)),
  });
  return { file, clock, seen, look };
}

describe('createSecondLook', () => {
  it('tells each change within 120 ms after the last one', async () => {
    const { file, clock, seen, look } = start();
    look.watch(file);
    await clock.advance(20);
    expect(seen).toEqual([]);
    writeFileSync(file, 'longer');
    await clock.advance(20);
    expect(seen).toEqual(['a.ts']);
    await clock.advance(80);
    writeFileSync(file, 'longer still');
    await clock.advance(20);
    expect(seen).toEqual(['a.ts', 'a.ts']);
  });

  it('tells of a file that is deleted and one that comes back', async () => {
    const { file, clock, seen, look } = start();
    look.watch(file);
    rmSync(file);
    await clock.advance(20);
    writeFileSync(file, 'a');
    await clock.advance(20);
    expect(seen).toEqual(['a.ts', 'a.ts']);
  });

  it('stops looking once the file rests', async () => {
    const { file, clock, seen, look } = start();
    look.watch(file);
    await clock.advance(120);
    expect(clock.pending).toBe(0);
    writeFileSync(file, 'longer');
    await clock.advance(120);
    expect(seen).toEqual([]);
  });

  it('tells nothing once closed', async () => {
    const { file, clock, seen, look } = start();
    look.watch(file);
    look.close();
    writeFileSync(file, 'longer');
    await clock.advance(120);
    expect(seen).toEqual([]);
    expect(clock.pending).toBe(0);
  });
});
