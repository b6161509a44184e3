import type { Clock } from '@virgule/core/clock';
import { beginLearning, createBucket, type Bucket, type Learned } from './bucket.js';
import { readLaneName, type Lane } from './lane.js';
import type { LimitMerge } from './limits-snapshot.js';
import { LruMap } from './lru-map.js';
import type { MergeEvidence } from './merge.js';

interface Merge {
  readonly evidence: MergeEvidence;
  readonly atMs: number;
}

/** Routes are few; upload addresses can be many. */
const MOST_ROUTES = 200;

/** A merge without a 429 for so long is given up. */
const MERGE_QUIET_MS = 600_000;

export interface MergesOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Routes that are not forgotten. */
  readonly keep: (bucket: Bucket) => boolean;
  /** Nothing rules those that `wide` ruled any more; each of `lanes` goes on with what it had learned. */
  readonly onGivenUp: (wide: Bucket, lanes: readonly Bucket[]) => void;
}

/** The buckets that are taken for one, and since when. */
export class Merges {
  readonly #clock: MergesOptions['clock'];
  readonly #onGivenUp: MergesOptions['onGivenUp'];
  readonly #inForce = new Map<Bucket, Merge>();
  readonly #global = createBucket('global', '', '');
  readonly #routes: LruMap<Bucket>;
  /** By the name of each of their lanes. */
  readonly #shared = new Map<string, Bucket>();
  /** What a merge had learned, for the buckets that take over when it is given up. */
  readonly #former = new LruMap<Learned>({ maxSize: MOST_ROUTES });

  constructor({ clock, keep, onGivenUp }: MergesOptions) {
    this.#clock = clock;
    this.#onGivenUp = onGivenUp;
    this.#routes = new LruMap({
      maxSize: MOST_ROUTES,
      keep: (bucket) => this.#inForce.has(bucket) || keep(bucket),
    });
  }

  /** Whether no bucket rules another, nor has left something to it. */
  get areNone(): boolean {
    return this.#inForce.size === 0 && this.#former.size === 0;
  }

  /** The bucket that rules a route of a channel besides its own. */
  ruling(route: string, name: string): Bucket | undefined {
    if (this.#inForce.size === 0) return undefined;
    this.#giveUpQuiet(this.#clock.monotonic());
    if (this.#inForce.has(this.#global)) return this.#global;
    const shared = this.#shared.get(name);
    if (shared) return shared;
    const wide = this.#routes.get(route);
    return wide && this.#inForce.has(wide) ? wide : undefined;
  }

  /** What the merge had learned that ruled a route until it was given up. */
  former(route: string): Learned | undefined {
    return this.#former.get(route) ?? this.#former.get('');
  }

  /** The bucket that is to rule, as far as `begin` says so. */
  open(scope: MergeEvidence['into'], { route, major }: Lane): Bucket {
    if (scope === 'global') return this.#global;
    if (scope === 'shared') return createBucket(scope, route, major);
    const known = this.#routes.get(route);
    if (known) return known;
    const bucket = createBucket('route', route, '');
    this.#routes.set(route, bucket);
    return bucket;
  }

  begin(wide: Bucket, evidence: MergeEvidence, nowMs: number): void {
    this.#inForce.set(wide, { evidence, atMs: nowMs });
    if (wide.scope === 'shared') for (const name of evidence.members) this.#shared.set(name, wide);
  }

  end(wide: Bucket): void {
    const merge = this.#inForce.get(wide);
    this.#inForce.delete(wide);
    if (wide.scope !== 'shared') return;
    for (const name of merge?.evidence.members ?? []) this.#shared.delete(name);
  }

  evidenceOf(bucket: Bucket): MergeEvidence | undefined {
    return this.#inForce.get(bucket)?.evidence;
  }

  all(): readonly Bucket[] {
    return [...this.#inForce.keys()];
  }

  describe(nowMs: number): readonly LimitMerge[] {
    return [...this.#inForce].map(([{ route, major }, { evidence, atMs }]) => ({
      ...evidence,
      members: [...evidence.members],
      route,
      major,
      agoMs: nowMs - atMs,
    }));
  }

  #giveUpQuiet(nowMs: number): void {
    for (const [wide, { evidence, atMs }] of this.#inForce) {
      const { learned } = wide;
      if (nowMs - Math.max(atMs, learned?.limitedAtMs ?? 0) < MERGE_QUIET_MS) continue;
      this.end(wide);
      wide.learned = undefined;
      const lanes = wide.scope === 'shared' ? evidence.members.map((name) => openLane(name)) : [];
      for (const lane of lanes) beginLearning(lane, nowMs, learned);
      if (learned && wide.scope !== 'shared') this.#former.set(wide.route, learned);
      this.#onGivenUp(wide, lanes);
    }
  }
}

function openLane(name: string): Bucket {
  const { route, major } = readLaneName(name);
  return createBucket('bucket', route, major);
}
