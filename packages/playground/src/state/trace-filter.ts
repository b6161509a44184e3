import type { SimTraceRow } from '@virgule/core/simulator-api';

export type TraceFilter = ReturnType<typeof readFilter>;

/** Fields with a number, such as `status:>=400`. */
const NUMBERS: Readonly<Record<string, (row: SimTraceRow) => number | undefined>> = {
  status: (row) => row.status,
  took: (row) => row.tookMs,
  endpoint: (row) => row.endpoint,
};

/** Fields with text, which must begin with the typed value, such as `kind:request`. */
const TEXTS: Readonly<Record<string, (row: SimTraceRow) => string>> = {
  kind: (row) => row.kind,
  from: (row) => row.from,
  bot: (row) => row.bot ?? '',
  id: (row) => row.group ?? '',
  is: (row) => (row.isError ? 'error' : 'ok'),
};

/** The words before a colon, for the help next to the field. */
export const FILTER_FIELDS: readonly string[] = [...Object.keys(TEXTS), ...Object.keys(NUMBERS)];

/**
 * Reads a filter: words that must all be in a row, `field:value` for some fields, `status:>=400` for numbers,
 * `"two words"` as one word, and `-` before a word that must not match. A word with an unknown field is searched for
 * unchanged.
 */
export function readFilter(query: string) {
  const words = query.match(/-?(?:[\w]+:)?"[^"]*"?|\S+/g) ?? [];
  const tests = words.map(readWord);
  return {
    isEmpty: tests.length === 0,
    hasHeartbeats: /heartbeat/i.test(query),
    matches: (row: SimTraceRow) => tests.every((test) => test(row)),
  };
}

function readWord(word: string): (row: SimTraceRow) => boolean {
  if (word.startsWith('-') && word.length > 1) {
    const test = readWord(word.slice(1));
    return (row) => !test(row);
  }
  const [, field = '', value = ''] = /^(\w+):(.+)$/.exec(word) ?? [];
  const readNumber = NUMBERS[field];
  const [, sign = '=', digits = ''] = /^(>=|<=|>|<|=)?(\d+(?:\.\d+)?)$/.exec(value) ?? [];
  if (readNumber && digits !== '')
    return (row) => {
      const order = Math.sign((readNumber(row) ?? NaN) - Number(digits));
      return sign.includes(['<', '=', '>'][order + 1] ?? ' ');
    };
  const readText = TEXTS[field];
  const wanted = (readText ? value : word).replaceAll('"', '').toLowerCase();
  if (readText) return (row) => readText(row).toLowerCase().startsWith(wanted);
  return (row) => row.what.toLowerCase().includes(wanted);
}
