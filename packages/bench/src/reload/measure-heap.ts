import { setTimeout as pause } from 'node:timers/promises';
import { slopeOf, type Point } from '../rounds/statistics.js';
import { createReloadProject } from './reload-project.js';
import { startVirguleDev } from './virgule-dev.js';

export interface HeapResult {
  readonly reloads: number;
  /** Growth of the bot's heap after garbage collections, in MiB per 1,000 reloads. */
  readonly mebibytesPerThousand: number;
  readonly firstMiB: number;
  readonly lastMiB: number;
  /**
   * Number of resources that keep the process alive, such as sockets, timers and watchers: the minimum in
   * the first quarter of the time and in the last. Leaks raise it, a moment with an open request does not.
   */
  readonly handles: { readonly first: number; readonly last: number };
  readonly reconnects: number;
}

/** A command that answers with the used heap after garbage collections, and the number of resources. */
const USAGE = `import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

export default {
  description: 'Usage',
  run: async (): Promise<string> => {
    for (let n = 0; n < 3; n += 1) { collect(); await new Promise((resolve) => setImmediate(resolve)); }
    return process.memoryUsage().heapUsed + ' ' + process.getActiveResourcesInfo().length;
  },
};
`;

/** Saves a command repeatedly under `virgule dev`, and samples the heap of the bot. */
export async function measureHeap(
  reloads: number,
  report: (line: string) => void,
): Promise<HeapResult> {
  const project = createReloadProject(10);
  project.write('commands/usage.ts', USAGE);
  const dev = await startVirguleDev(project);
  const points: Point[] = [];
  const handles: number[] = [];

  async function takeSample(x: number): Promise<void> {
    const [heap = 0, open = 0] = ((await dev.chat.ask('/usage')) ?? '').split(' ').map(Number);
    points.push({ x, y: heap / 2 ** 20 });
    handles.push(open);
  }

  try {
    // Pools and caches are filled first.
    const warmUp = Math.min(200, Math.ceil(reloads / 5));
    const every = Math.max(1, Math.round(reloads / 40));
    for (let n = 0; n < warmUp + reloads; n += 1) {
      if (n % 50 === 49) project.save('helper', `helper ${n}${'-'.repeat(n % 7)}`);
      else project.save('command', `text ${n}${'-'.repeat(n % 7)}`);
      await dev.reported('reload');
      await pause(1);
      if (n >= warmUp && (n - warmUp) % every === 0) await takeSample(n - warmUp);
      if (n % 1_000 === 999) report(`${n + 1} reloads`);
    }
    await takeSample(reloads);
    const quarter = Math.ceil(handles.length / 4);
    return {
      reloads,
      mebibytesPerThousand: slopeOf(points) * 1_000,
      firstMiB: points[0]?.y ?? Number.NaN,
      lastMiB: points.at(-1)?.y ?? Number.NaN,
      handles: {
        first: Math.min(...handles.slice(0, quarter)),
        last: Math.min(...handles.slice(-quarter)),
      },
      reconnects: (await dev.chat.identifies()) - 1,
    };
  } finally {
    await dev.close();
  }
}
