import type { Clock } from '@virgule/core/clock';
import {
  SIM_CAUSE_HEADER,
  type SimTraceDetail,
  type SimTracePage,
  type SimTraceRow,
} from '@virgule/core/simulator-api';

/** Number of latest rows to keep, and maximum number of characters in all rows. The oldest tenth is dropped at once. */
const KEPT_ROWS = 50_000;
const MAX_KEPT_LENGTH = 32 * 1024 * 1024;

/** Maximum length of a row's title, in characters. */
const MAX_WHAT_LENGTH = 200;

/** Maximum length of one section of a detail, in characters. The rest of the section is not shown. */
const MAX_SECTION_LENGTH = 64 * 1024;

/** Secret values in JSON. */
const SECRETS = /"(token|streamKey)":\s*"[^"]*"/g;

/** Values of headers that are never shown. */
const SECRET_HEADERS = /^(authorization|cookie|set-cookie)$/;

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;
type Sections = Readonly<Record<string, string | Headers>>;

/** A new row, without its id and moment. */
interface TraceEntry extends Omit<SimTraceRow, 'id' | 'atMs' | 'moment' | 'group' | 'isError'> {
  /** @defaultValue false */
  readonly isError?: boolean | undefined;
  /** @defaultValue now */
  readonly atMs?: number | undefined;
  /** @defaultValue the group of `within`, or none */
  readonly group?: string | null | undefined;
  /** Detail by title. Formatted when the row is opened: to format thousands per second cost more than the bot. */
  readonly sections?: Sections;
}

/** A row with its detail in one object, because tens of thousands are kept. */
interface Kept extends SimTraceRow {
  readonly sections: Sections;
  /** Number of characters in `sections`. */
  readonly length: number;
}

/** Returns the part of an entry that lists of rows show. */
const rowOf = ({ sections: _sections, length: _length, ...row }: Kept): SimTraceRow => row;

const lengthOf = (section: string | Headers): number =>
  typeof section === 'string' ? section.length : JSON.stringify(section).length;

/** Returns a section as text, without tokens and cookies. */
function shown(section: string | Headers): string {
  if (typeof section === 'string') return section.replaceAll(SECRETS, '"$1":"[masked]"');
  return Object.entries(section)
    .filter(([name, value]) => value !== undefined && name !== SIM_CAUSE_HEADER)
    .map(([name, value]) => `${name}: ${SECRET_HEADERS.test(name) ? '[masked]' : String(value)}`)
    .join('\n');
}

export type Trace = ReturnType<typeof createTrace>;

/** Creates the record of all actions. @param moment - returns the number of changes of the world so far. */
export function createTrace(clock: Clock, moment: () => number) {
  /** The row with the id `n` is at `n - first`. */
  const kept: Kept[] = [];
  let first = 1;
  let length = 0;
  let current: string | null = null;
  const originMs = clock.now() - clock.monotonic();

  const now = (): number => originMs + clock.monotonic();

  function trim(): void {
    while (kept.length * 0.9 > KEPT_ROWS || (length > MAX_KEPT_LENGTH && kept.length > 1)) {
      const dropped = kept.splice(0, Math.ceil(kept.length / 10));
      first += dropped.length;
      for (const row of dropped) length -= row.length;
    }
  }

  return {
    /** Returns the time in milliseconds since 1970, with fractions. */
    now,
    /** Group of the current call of `within`. */
    get group(): string | null {
      return current;
    },
    add(entry: TraceEntry): void {
      const { what, kind, from, bot, status, endpoint, tookMs, timings } = entry;
      const { group = current, atMs = now(), isError = false, sections = {} } = entry;
      const added = Object.values(sections).reduce((sum, each) => sum + lengthOf(each), 0);
      kept.push({
        // Written out: rest and spread would cost more than the rest of this function.
        id: first + kept.length,
        kind,
        from,
        bot,
        what: what.slice(0, MAX_WHAT_LENGTH),
        group,
        isError,
        status,
        endpoint,
        tookMs,
        timings,
        atMs,
        moment: moment(),
        sections,
        length: added,
      });
      length += added;
      trim();
    },
    /** Runs a function whose rows belong to a group, unless a row names its group. */
    within<Result>(group: string | null, run: () => Result): Result {
      const outer = current;
      current = group;
      try {
        return run();
      } finally {
        current = outer;
      }
    },
    /** Returns up to `limit` rows after the row with the given id. */
    page(after: number, limit = Number.POSITIVE_INFINITY): SimTracePage {
      const from = Math.max(after + 1 - first, 0);
      const lastId = first + kept.length - 1;
      const rows = kept.slice(from, from + limit).map(rowOf);
      return { rows, hasMore: from + limit < kept.length, firstId: first, lastId };
    },
    detail(id: number): SimTraceDetail | undefined {
      const found = kept[id - first];
      if (found === undefined) return undefined;
      const sections = Object.entries(found.sections).map(([title, section]) => {
        const text = shown(section);
        return { title, text: text.slice(0, MAX_SECTION_LENGTH), length: text.length };
      });
      return { ...rowOf(found), sections };
    },
  };
}
