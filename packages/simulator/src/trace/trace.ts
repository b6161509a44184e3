import type { Clock } from '@virgule/core/clock';
import type {
  SimTraceDetail,
  SimTracePage,
  SimTraceRow,
  SimTraceSection,
} from '@virgule/core/simulator-api';

/** Maximum number of rows, and of characters of their details; the oldest rows are dropped. */
const MAX_ROWS = 50_000;
const MAX_DETAIL_LENGTH = 32 * 1024 * 1024;

/** Maximum length of a row's title, in characters. */
const MAX_WHAT_LENGTH = 200;

/** Maximum length of one section of a detail, in characters. The rest of it is not kept. */
const MAX_SECTION_LENGTH = 64 * 1024;

/** What happened, before it has a number and a time. */
interface TraceEntry extends Omit<SimTraceRow, 'id' | 'atMs' | 'group'> {
  /** @defaultValue now */
  readonly atMs?: number | undefined;
  /** @defaultValue the group of `within`, or none */
  readonly group?: string | null | undefined;
  /** By title, such as `Payload`. Secrets are masked by the caller. */
  readonly sections: Readonly<Record<string, string>>;
}

interface Kept {
  readonly row: SimTraceRow;
  readonly sections: readonly SimTraceSection[];
}

const lengthOf = (sections: readonly SimTraceSection[]): number =>
  sections.reduce((sum, { text }) => sum + text.length, 0);

/** What the bot, its users and the platform did, in order. */
export interface Trace {
  add(entry: TraceEntry): void;
  /** Returns the time in milliseconds since 1970, with fractions. */
  now(): number;
  /** The group of `within`, if any. */
  readonly group: string | null;
  /** Runs a function whose rows belong to a group, unless they name one. */
  within<Result>(group: string | null, run: () => Result): Result;
  /** Returns up to `limit` rows after the row with the given id. */
  page(after: number, limit: number): SimTracePage;
  detail(id: number): SimTraceDetail | undefined;
}

export function createTrace(clock: Clock): Trace {
  /** The row with the id `n` is at `n - first`. */
  let kept: Kept[] = [];
  let first = 1;
  /** Rows at the front of `kept` that are dropped; they are removed many at a time. */
  let dropped = 0;
  let length = 0;
  let current: string | null = null;
  const originMs = clock.now() - clock.monotonic();

  const now = (): number => originMs + clock.monotonic();
  const count = (): number => kept.length - dropped;

  function trim(): void {
    while (count() > MAX_ROWS || (length > MAX_DETAIL_LENGTH && count() > 1)) {
      length -= lengthOf(kept[dropped]?.sections ?? []);
      dropped += 1;
    }
    if (dropped <= kept.length / 2) return;
    kept = kept.slice(dropped);
    first += dropped;
    dropped = 0;
  }

  return {
    now,
    get group() {
      return current;
    },
    add({ sections, group = current, atMs = now(), what, ...rest }) {
      const parts = Object.entries(sections).map(([title, text]) => ({
        title,
        text: text.slice(0, MAX_SECTION_LENGTH),
        length: text.length,
      }));
      const id = first + kept.length;
      const row = { ...rest, id, atMs, group, what: what.slice(0, MAX_WHAT_LENGTH) };
      kept.push({ row, sections: parts });
      length += lengthOf(parts);
      trim();
    },
    within(group, run) {
      const outer = current;
      current = group;
      try {
        return run();
      } finally {
        current = outer;
      }
    },
    page(after, limit) {
      const from = Math.max(after + 1 - first, dropped);
      const lastId = first + kept.length - 1;
      const rows = kept.slice(from, from + limit).map(({ row }) => row);
      return { rows, hasMore: from + limit < kept.length, firstId: first + dropped, lastId };
    },
    detail(id) {
      const found = id - first >= dropped ? kept[id - first] : undefined;
      return found && { ...found.row, sections: found.sections };
    },
  };
}
