import type { SimTraceRow } from '@virgule/core/simulator-api';
import { describe, expect, it } from 'vitest';
import { COMMAND_ROWS, RUN, traceRow } from '../../test/trace-rows.js';
import { createTraceView } from './trace-view.js';

/** A view of a simulator with these rows, which responds with pages of two rows. */
function open(rows: SimTraceRow[]) {
  const asked: number[] = [];
  const view = createTraceView({
    // Each result has the type of its action.
    async read(name, { after = 0, row: wanted } = {}) {
      if (name === 'detail') {
        const row = rows.find(({ id }) => id === wanted);
        if (row === undefined) throw new Error('not kept');
        const text = `{"id":${row.id}}`;
        return { ...row, sections: [{ title: 'Frame', text, length: 8 }] } as never;
      }
      asked.push(Number(after));
      const next = rows.filter(({ id }) => id > Number(after));
      const lastId = rows.at(-1)?.id ?? 0;
      const page = { rows: next.slice(0, 2), hasMore: next.length > 2, firstId: 1, lastId };
      return page as never;
    },
  });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return { view, asked, rows, settle, keys: () => view.lines.value.map(({ key }) => key) };
}

const numbered = (...ids: number[]) => ids.map((id) => traceRow({ id, from: 'user' }));

describe('createTraceView', () => {
  it('reads all pages, then only what is new', async () => {
    const { view, asked, rows, keys } = open(numbered(1, 2, 3));
    await view.read();
    rows.push(...numbered(4));
    await view.read();
    expect(keys()).toEqual(['row-4', 'row-3', 'row-2', 'row-1']);
    expect(asked).toEqual([0, 2, 3]);
  });

  it('reads each row once, also when it is asked twice at the same time', async () => {
    const { view, keys } = open(numbered(1, 2));
    await Promise.all([view.read(), view.read()]);
    expect(keys()).toEqual(['row-2', 'row-1']);
  });

  it('starts again with a simulator that was started again', async () => {
    const { view, rows, keys } = open(numbered(1, 2, 3));
    await view.read();
    rows.splice(0, 3, ...numbered(1));
    await view.read();
    expect(keys()).toEqual(['row-1']);
  });

  it('holds rows back while it is paused, and counts them', async () => {
    const { view, rows, keys } = open(numbered(1));
    await view.read();
    view.togglePause();
    rows.push(...numbered(2, 3));
    await view.read();
    expect([keys(), view.held.value]).toEqual([['row-1'], 2]);
    view.togglePause();
    expect([keys(), view.held.value]).toEqual([['row-3', 'row-2', 'row-1'], null]);
  });

  it('shows the details of the row that is selected last', async () => {
    const { view, settle } = open(numbered(1, 2));
    await view.read();
    view.select('row-1');
    view.select('row-2');
    await settle();
    expect(view.detail.value?.sections[0]?.text).toBe('{"id":2}');
    view.select(null);
    expect([view.selected.value, view.detail.value]).toEqual([null, null]);
  });

  it('selects a group that comes only later, whatever was filtered', async () => {
    const { view, keys } = open([...COMMAND_ROWS].toSorted((a, b) => a.id - b.id));
    view.query.value = 'nothing';
    view.showGroup(RUN);
    expect(view.selected.value).toBeNull();
    await view.read();
    expect(view.selected.value?.key).toBe(RUN);
    expect(keys()).toEqual([RUN, 'row-1', 'row-2', 'row-3', 'row-4']);
  });

  it('shows the details of the first error that the bot logged in a group, when it comes', async () => {
    const rows = [traceRow({ id: 1, group: RUN }), traceRow({ id: 2, group: RUN, isError: true })];
    const { view, settle } = open(rows);
    view.showGroup(RUN);
    await view.read();
    rows.push(traceRow({ id: 3, group: RUN, isError: true, kind: 'log' }));
    await view.read();
    await settle();
    expect(view.detail.value?.id).toBe(3);
  });

  it('reports that nothing is kept of what is to be shown, once it has read', async () => {
    const { view } = open(numbered(1));
    view.showGroup(RUN);
    expect(view.isMissing.value).toBe(false);
    await view.read();
    expect(view.isMissing.value).toBe(true);
    view.select('row-1');
    expect(view.isMissing.value).toBe(false);
  });

  it('shows nothing of before after it was cleared', async () => {
    const { view, rows, keys } = open(numbered(1, 2));
    await view.read();
    view.clear();
    rows.push(...numbered(3));
    await view.read();
    expect(keys()).toEqual(['row-3']);
  });
});
