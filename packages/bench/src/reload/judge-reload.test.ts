import { describe, expect, it } from 'vitest';
import { formatHeap, formatKill, formatReload } from './format-reload.js';
import { judgeHeap, judgeKill, judgeReload, targetOf } from './judge-reload.js';
import type { HeapResult } from './measure-heap.js';
import type { KillResult } from './measure-kill.js';
import type { ReloadResult } from './measure-reload.js';

const RESULT: ReloadResult = {
  subject: 'virgule dev',
  files: 10,
  edit: 'command',
  medianMs: 9,
  p95Ms: 20,
  samples: 24,
  asked: 100,
  lost: 0,
  reconnects: 0,
  startMiB: 185,
  endMiB: 190.4,
};
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
  it.each([
    ['command', 10, 10],
    ['command', 100, 10],
    ['command', 1_000, 15],
    ['helper', 10, 20],
    ['helper', 1_000, 200],
    ['restart', 10, 400],
    ['restart', 1_000, undefined],
  ] as const)('holds %s with %i files to %s ms', (edit, files, target) => {
    expect(targetOf({ ...RESULT, edit, files })).toBe(target);
  });

  it('is content with what is reached, and with what others do', () => {
    const other = {
      ...RESULT,
      subject: 'tsx',
      medianMs: 900,
      lost: 60,
      reconnects: 24,
      startMiB: 900,
    };
    expect(judgeReload([RESULT, { ...RESULT, medianMs: 10 }, other])).toEqual([]);
    expect(targetOf(other)).toBeUndefined();
  });

  it('reports slow reloads, lost commands and reconnects', () => {
    expect(judgeReload([{ ...RESULT, medianMs: 10.01, lost: 1, reconnects: 2 }])).toEqual([
      'command, 10 files: 10.0 ms, above 10 ms',
      'command, 10 files: 1 commands lost',
      'command, 10 files: 2 reconnects',
    ]);
  });

  it.each([
    ['before', { startMiB: 200.6 }],
    ['after', { endMiB: 200.6 }],
  ])(
    'reports once how much memory too much is used %s the edits, with up to 100 files',
    (_, used) => {
      const heavy = { ...RESULT, files: 100, ...used };
      expect(
        judgeReload([heavy, { ...heavy, edit: 'helper' }, { ...heavy, files: 1_000 }]),
      ).toEqual(['memory, 100 files: 201 MiB, above 200 MiB']);
    },
  );
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
    const lines = formatReload([RESULT, { ...RESULT, files: 1_000, edit: 'restart' }]);
    expect(lines[1]).toBe(
      '10     command  virgule dev  9.0        20.0    24       0 of 100  0           10         185 to 190',
    );
    expect(lines[2]).toMatch(/^1000 {3}restart .* 0 +185 to 190$/);
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
