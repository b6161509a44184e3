import { describe, expect, it } from 'vitest';
import { formatHeap, formatKill, formatReload } from './format-reload.js';
import { judgeHeap, judgeKill, judgeReload } from './judge-reload.js';
import type { HeapResult } from './measure-heap.js';
import type { KillResult } from './measure-kill.js';
import type { ReloadResult } from './measure-reload.js';

const RESULT: ReloadResult = {
  subject: 'virgule dev --live',
  files: 100,
  edit: 'command',
  medianMs: 9,
  p95Ms: 20,
  samples: 24,
  cpuMs: 14,
  asked: 100,
  lost: 0,
  reconnects: 0,
  rssMiB: 149.6,
  pssMiB: 88,
};
const SAPPHIRE = { ...RESULT, subject: 'Sapphire, plugin-hmr', medianMs: 16, cpuMs: 30, lost: 1 };
const HEAP: HeapResult = {
  reloads: 10_000,
  mebibytesPerThousand: 0.2,
  firstMiB: 30,
  lastMiB: 32,
  handles: { first: 5, last: 5 },
  reconnects: 0,
};
const KILL: KillResult = {
  kills: 3,
  asked: 900,
  unanswered: 0,
  reconnects: 0,
  seconds: [0.7, 0.8, 1.2],
  pageAlive: true,
};

describe('judgeReload', () => {
  it('accepts results that reach all aims, and judges no peer and no other checkout', () => {
    const base = { ...RESULT, subject: 'virgule dev --live (base)', cpuMs: 60, lost: 1 };
    const helper: ReloadResult = { ...RESULT, edit: 'helper', medianMs: 29, cpuMs: 35 };
    const restart: ReloadResult = { ...RESULT, edit: 'restart', medianMs: 400, cpuMs: undefined };
    const results = [RESULT, helper, restart, base, SAPPHIRE];
    expect(judgeReload(results)).toEqual({ missed: [], ahead: [] });
  });

  it('compares the time with Sapphire of the same run', () => {
    const slow = { ...RESULT, medianMs: 12.8 };
    expect(judgeReload([slow]).missed).toEqual([]);
    expect(judgeReload([slow, { ...SAPPHIRE, files: 10 }]).missed).toEqual([]);
    expect(judgeReload([slow, SAPPHIRE]).missed).toEqual([
      'virgule dev --live, command, 100 files: ms over Sapphire, plugin-hmr 0.80, above 0.75',
    ]);
  });

  it('lists missed conditions, and aims that are not reached', () => {
    const heavy = { ...RESULT, cpuMs: 18.4, lost: 1, reconnects: 2, rssMiB: 160, pssMiB: 106 };
    const where = 'virgule dev --live, command, 100 files';
    expect(judgeReload([heavy])).toEqual({
      missed: [
        `${where}: commands lost 1.00, above 0`,
        `${where}: reconnects 2.00, above 0`,
        `${where}: CPU ms 18.40, above 18`,
        `${where}: PSS MiB 106.00, above 105`,
      ],
      ahead: [
        `${where}: CPU ms 18.40, above 15`,
        `${where}: RSS MiB 160.00, above 150`,
        `${where}: PSS MiB 106.00, above 90`,
      ],
    });
  });

  it('expects no loss with the simulator and with more files', () => {
    const lossy = { ...RESULT, cpuMs: 90, lost: 1 };
    const missed = ['virgule dev', 'virgule dev --live'].flatMap(
      (subject) => judgeReload([{ ...lossy, subject, files: 1_000 }]).missed,
    );
    expect(missed).toEqual([
      'virgule dev, command, 1000 files: commands lost 1.00, above 0',
      'virgule dev --live, command, 1000 files: commands lost 1.00, above 0',
    ]);
  });
});

describe('judgeHeap', () => {
  it('reports growth of the heap and of handles', () => {
    expect(judgeHeap(HEAP)).toEqual([]);
    expect(judgeHeap({ ...HEAP, handles: { first: 5, last: 4 } })).toEqual([]);
    const grown = { mebibytesPerThousand: 2.1, handles: { first: 5, last: 6 }, reconnects: 1 };
    expect(judgeHeap({ ...HEAP, ...grown })).toEqual([
      'heap: 2.10 MiB per 1,000 reloads, above 2',
      'handles: from 5 to 6',
      'heap: 1 reconnects',
    ]);
  });
});

describe('judgeKill', () => {
  it('reports lost commands, reconnects and an unavailable page', () => {
    expect(judgeKill(KILL)).toEqual([]);
    expect(judgeKill({ ...KILL, unanswered: 1, reconnects: 1, pageAlive: false })).toEqual([
      'kill: 1 commands unanswered',
      'kill: 1 reconnects',
      'kill: the page did not respond',
    ]);
  });
});

describe('the results as text', () => {
  it('are aligned in columns', () => {
    const restart: ReloadResult = { ...RESULT, files: 1_000, edit: 'restart', cpuMs: undefined };
    const lines = formatReload([RESULT, restart]);
    expect(lines[1]).toBe(
      '100    command  virgule dev --live  9.0        20.0    14.0    24       0 of 100  0           150      88',
    );
    expect(lines[2]).toMatch(/^1000 {3}restart .* 20\.0 +24 .* 150 +88$/);
  });

  it('are one line each', () => {
    expect(formatHeap(HEAP)).toBe(
      '10000 reloads: heap 0.20 MiB per 1,000, from 30.0 to 32.0 MiB, handles 5 to 5, 0 reconnects',
    );
    expect(formatKill(KILL)).toBe(
      '3 kills during 900 commands, 100 per second: 0 unanswered, 0 reconnects, page alive, next answer after 0.80 s, at most 1.20 s',
    );
  });
});
