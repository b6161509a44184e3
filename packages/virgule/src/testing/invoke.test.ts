import { defineCommand, option } from '@virgule/runtime';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { invoke } from './invoke.js';

const roll = defineCommand({
  description: 'Roll',
  options: z.object({ sides: z.int().min(2).default(6), label: z.string().optional() }),
  run: ({ options, random }) =>
    `${options.label ?? 'rolled'} ${1 + Math.floor(random() * options.sides)}`,
});

/** Returns a command with this handler. */
const running = (run: Parameters<typeof defineCommand>[0]['run']) =>
  defineCommand({ description: 'Test', run });

describe('invoke', () => {
  it('calls a handler with options as its schema outputs them', async () => {
    expect(await invoke(roll, { random: () => 0.5 })).toMatchObject({ content: 'rolled 4' });
    const options = { sides: 20, label: 'got' };
    expect((await invoke(roll, { options, random: () => 0.5 })).content).toBe('got 11');
    await expect(invoke(roll, { options: { sides: 1 } })).rejects.toThrow('Too small');
  });

  it('takes the module of a file, of either form', async () => {
    expect((await invoke({ default: roll }, { random: () => 0 })).content).toBe('rolled 1');
    const options = z.object({ wait: option.duration() });
    const plain = {
      description: 'Plain',
      options,
      default: (context: { options: z.output<typeof options> }) => `${context.options.wait} ms`,
    };
    expect((await invoke(plain, { options: { wait: '2s' } })).content).toBe('2000 ms');
  });

  it('returns what it wrote: the answer, its edits, and follow-ups', async () => {
    const command = running(async ({ reply, edit, clock }) => {
      const first = await reply('draft');
      const second = await reply({ content: 'more' });
      await clock.sleep('1h');
      await second.edit('much more');
      await edit(new Date(clock.now()).toISOString().slice(0, 13));
      await first.edit(`${first.content} end`);
      return [first, second];
    });
    expect(await invoke(command)).toMatchObject({
      content: '2026-01-01T01 end',
      edits: ['2026-01-01T01', '2026-01-01T01 end'],
      followUps: ['much more'],
    });
  });

  it('returns the states of a generator, the text of a stream, and silence', async () => {
    const states = running(async function* () {
      yield 'one';
      yield 'two';
      return { content: 'three' };
    });
    expect(await invoke(states)).toMatchObject({ content: 'three', edits: ['two', 'three'] });
    const streamed = running(({ append }) =>
      append(new Response('a story').body!.pipeThrough(new TextDecoderStream())),
    );
    expect(await invoke(streamed)).toMatchObject({ content: 'a story', edits: [] });
    expect((await invoke(running(() => null))).content).toBeUndefined();
  });

  it('rejects with what the handler throws', async () => {
    const command = running(() => {
      throw new RangeError('too far');
    });
    await expect(invoke(command)).rejects.toThrow(new RangeError('too far'));
  });

  it('names the member that it was not given', async () => {
    const command = running(async ({ confirm }) => String(await confirm('Sure?')));
    await expect(invoke(command)).rejects.toMatchObject({
      code: 'E_TEST_CALL',
      message:
        'The handler used `confirm`, which invoke() was not given.\n' +
        'Try:  Pass the member: invoke(command, { confirm: … }). For the whole context, use createTestBot.',
    });
    expect((await invoke(command, { confirm: async () => true })).content).toBe('true');
    const reacting = running(async ({ reply }) => (await reply('hi')).react('✅'));
    await expect(invoke(reacting)).rejects.toMatchObject({ code: 'E_TEST_CALL' });
  });
});
