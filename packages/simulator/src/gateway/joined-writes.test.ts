import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { JoinedWrites } from './joined-writes.js';

/** A wire that records its writes, one entry each. */
function openWire() {
  const went: string[] = [];
  const wire = new PassThrough();
  wire._write = (chunk, _encoding, done) => {
    went.push(String(chunk));
    done();
  };
  wire._writev = (chunks, done) => {
    went.push(chunks.map(({ chunk }) => String(chunk)).join('+'));
    done();
  };
  const writes = new JoinedWrites(wire);
  const write = (text: string): void => {
    writes.join();
    wire.write(text);
  };
  return { went, writes, write };
}

describe('JoinedWrites', () => {
  it('writes once what is written in one step, in its order', async () => {
    const { went, write } = openWire();
    for (const text of ['one', 'two', 'three']) write(text);
    expect(went).toEqual([]);
    await Promise.resolve();
    expect(went).toEqual(['one+two+three']);
  });

  it('writes before anything that waits for the step', async () => {
    const { went, write } = openWire();
    const step = async (): Promise<void> => write('event');
    await step().then(() => went.push('answer'));
    expect(went).toEqual(['event', 'answer']);
  });

  it('writes each step apart', async () => {
    const { went, write } = openWire();
    write('one');
    await Promise.resolve();
    write('two');
    await Promise.resolve();
    expect(went).toEqual(['one', 'two']);
  });

  it('writes immediately on flush, and joins later writes again', async () => {
    const { went, writes, write } = openWire();
    write('one');
    writes.flush();
    writes.flush();
    expect(went).toEqual(['one']);
    write('two');
    write('three');
    expect(went).toEqual(['one']);
    await Promise.resolve();
    expect(went).toEqual(['one', 'two+three']);
  });
});
