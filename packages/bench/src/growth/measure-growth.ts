import { createDeadlines, createFakeClock } from '@virgule/core/clock';
import { createMemoryCooldowns } from '@virgule/runtime/process';
import { cpuMicros } from '../rounds/process-usage.js';
import type { Sample } from '../rounds/scenario.js';

const CHECKS = 500_000;
const EVERY_MS = 3_600_000;

const namesOf = (keys: number): string[] =>
  Array.from({ length: keys }, (_value, index) => `roll user-${index}`);

/** Measures looking up keys of a Map: no store of this many keys can take less. */
export async function measureMap(keys: number): Promise<Sample> {
  const names = namesOf(keys);
  const endsAtMs = new Map(names.map((name) => [name, EVERY_MS]));
  return measureChecks(names, (name) => (endsAtMs.get(name) ?? 0) > 0);
}

/** Measures the check of a cooldown when this many keys have one. */
export async function measureCooldowns(keys: number): Promise<Sample> {
  const cooldowns = createMemoryCooldowns(createFakeClock(), keys);
  const names = namesOf(keys);
  for (const name of names) await cooldowns.count(name, 1, { everyMs: EVERY_MS, limit: 1 });
  return measureChecks(
    names,
    (name) => cooldowns.count(name, 1, { everyMs: EVERY_MS, limit: 1 }) !== 0,
  );
}

function measureChecks(names: readonly string[], isRefused: (name: string) => boolean): Sample {
  const before = cpuMicros();
  let refused = 0;
  for (let index = 0; index < CHECKS; index += 1) {
    if (isRefused(names[(index * 7_919) % names.length] ?? '')) refused += 1;
  }
  // Each key ran before, and none may run again so soon.
  return { values: { cpuMicros: (cpuMicros() - before) / CHECKS }, wrong: CHECKS - refused };
}

const DEADLINES = 500_000;

/** Measures deadlines of which this many are due in the same moment. */
export async function measureDeadlines(atOnce: number): Promise<Sample> {
  const clock = createFakeClock();
  const deadlines = createDeadlines(clock);
  let reached = 0;
  const before = cpuMicros();
  for (let round = 0; round < DEADLINES / atOnce; round += 1) {
    const dueMs = clock.monotonic() + 1_500;
    for (let index = 0; index < atOnce; index += 1) deadlines.add(dueMs, () => void (reached += 1));
    await clock.advance(1_500);
  }
  const each = (cpuMicros() - before) / DEADLINES;
  return { values: { cpuMicros: each }, wrong: DEADLINES - reached };
}
