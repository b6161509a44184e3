import { describe, expect, it } from 'vitest';
import { refused } from '../../../test/client-failures.js';
import { CHANNEL, MESSAGE } from '../../../test/ids.js';
import { settle, startCommand } from '../../../test/test-bot.js';
import type { CommandContext } from '../context/command-context.js';
import type { MessageInput } from '../answer/answer.js';

const LONG = Array.from({ length: 700 }, (_, n) => `word${n}`).join(' ');
const DRAFTS = [{ objectKey: 'key-1' }, { objectKey: 'key-2' }];

/** A bot whose uploads return `DRAFTS`, and the bodies that were sent. */
async function start(run: (context: CommandContext) => unknown) {
  // Each test returns what its handler may return.
  const bot = await startCommand({
    run: run as (context: CommandContext) => Promise<MessageInput>,
  });
  bot.rest.always('attachments.uploadAll', DRAFTS);
  return {
    ...bot,
    get lines() {
      return bot.lines;
    },
    get calls() {
      return bot.rest.calls.map(({ endpoint }) => endpoint.replace(/^\w+\./, ''));
    },
    get bodies() {
      return bot.rest.calls
        .filter(({ endpoint }) => endpoint.startsWith('interactions.'))
        .map(({ args }) => args[1] as Readonly<Record<string, unknown>>);
    },
    get texts(): unknown[] {
      return this.bodies.map((body) => body['content']);
    },
  };
}

describe('split: true', () => {
  it.each<[string, (context: CommandContext) => unknown]>([
    ['a returned answer', () => ({ content: LONG, split: true })],
    ['a reply', async ({ reply }) => void (await reply({ content: LONG, split: true }))],
    [
      'the last state of a generator',
      async function* () {
        yield { content: LONG, split: true };
      },
    ],
    [
      'what a generator returns',
      async function* () {
        yield* [];
        return { content: LONG, split: true };
      },
    ],
  ])('sends %s in as many messages as it needs', async (_, run) => {
    const bot = await start(run);
    bot.type('/x');
    await bot.clock.advance(5_000);
    expect(bot.calls).toEqual(['respond', 'followUp', 'followUp']);
    expect(bot.texts.join(' ')).toBe(LONG);
  });

  it('left out is an error that says what to do', async () => {
    const bot = await start(() => LONG);
    await bot.run('/x');
    expect(bot.log.lines.find(({ level }) => level === 'error')?.details['err']).toMatchObject({
      code: 'E_ANSWER_INVALID',
      hint: 'Shorten it, or add split: true to send it in several messages.',
    });
  });

  it('sends text that is too long because of the white space at its end as one message', async () => {
    const content = 'x'.repeat(2_000);
    const bot = await start(() => ({ content: `${content}\n\n`, split: true }));
    await bot.run('/x');
    expect([bot.calls, bot.texts]).toEqual([['respond'], [content]]);
  });

  it('changes nothing about content that fits, or is not a string', async () => {
    const bot = await start(() => ({ content: 'short', split: true }));
    expect(await bot.run('/x')).toEqual(['respond short']);
    const none = await start(() => ({ content: 7, split: true }));
    await none.run('/x');
    expect(none.log.at('error')[0]).toContain('a content of type number');
  });

  it('shows the beginning of a state that another follows, and sends the rest of the last one only', async () => {
    const bot = await start(async function* ({ clock }) {
      yield { content: `first ${LONG}`, split: true };
      await clock.sleep('1s');
      yield { content: `second ${LONG}`, split: true };
    });
    bot.type('/x');
    await bot.clock.advance(5_000);
    expect(bot.calls).toEqual(['respond', 'editResponse', 'followUp', 'followUp']);
    expect(bot.texts.slice(1).join(' ')).toBe(`second ${LONG}`);

    const returned = await start(async function* () {
      yield { content: LONG, split: true };
      return 'short after all';
    });
    returned.type('/x');
    await returned.clock.advance(5_000);
    expect(returned.calls).toEqual(['respond', 'editResponse']);
  });

  it('replies to a message with the first, and has the files with the last', async () => {
    const bot = await start(({ reply }) =>
      reply({ content: LONG, split: true, replyTo: MESSAGE, files: ['a.png', 'b.png'] }).then(
        () => null,
      ),
    );
    await bot.run('/x');
    expect(bot.bodies.map((body) => body['replyToMessageId'])).toEqual([
      MESSAGE,
      undefined,
      undefined,
    ]);
    expect(bot.bodies.map((body) => body['attachments'])).toEqual([undefined, undefined, DRAFTS]);
  });

  it('has the files of a last state with the last message', async () => {
    const bot = await start(async function* () {
      yield { content: LONG, split: true, files: ['a.png'] };
    });
    bot.type('/x');
    await bot.clock.advance(5_000);
    expect(bot.bodies.map((body) => body['attachments'])).toEqual([undefined, undefined, DRAFTS]);
  });

  it('sends no other part after the command was stopped', async () => {
    const bot = await start(() => ({ content: LONG, split: true }));
    const part = bot.rest.hold('interactions.followUp');
    bot.type('/x');
    await bot.clock.advance(15 * 60_000);
    part.settle();
    await bot.bot.idle();
    await settle();
    expect(bot.lines.slice(2)).toEqual(['followUp This took too long. Please try again later.']);
  });

  it('sends nothing more after a part that was refused', async () => {
    const bot = await start(({ reply }) =>
      reply({ content: LONG, split: true }).then(
        () => null,
        () => null,
      ),
    );
    bot.rest.once('interactions.followUp', refused(400));
    await bot.run('/x');
    expect(bot.calls).toEqual(['respond', 'followUp']);
  });

  it('returns the handle of the first message', async () => {
    const bot = await start(async ({ reply }) => {
      await (await reply({ content: LONG, split: true })).edit('changed');
    });
    await bot.run('/x');
    expect(bot.lines.at(-1)).toBe('edit changed');
  });
});

describe('files', () => {
  it('are uploaded for the channel of the command, then sent with the answer', async () => {
    const bot = await start(({ reply }) =>
      reply({ content: 'Look', files: ['a.png', 'b.png'], attachments: [{ objectKey: 'old' }] }),
    );
    bot.type('/x');
    await settle();
    expect(bot.calls.slice(0, 2)).toEqual(['uploadAll', 'respond']);
    expect(bot.rest.calls[0]?.args.slice(0, 2)).toEqual([CHANNEL, ['a.png', 'b.png']]);
    expect(bot.bodies[0]).toMatchObject({
      content: 'Look',
      attachments: [{ objectKey: 'old' }, ...DRAFTS],
    });
  });

  it('may come with a returned answer, with a follow-up, and without a text', async () => {
    for (const answer of [{ content: '', files: ['a.png'] }, { files: ['a.png'] }]) {
      const returned = await start(() => answer);
      await returned.run('/x');
      expect(returned.bodies).toMatchObject([{ content: null, attachments: DRAFTS }]);
    }

    const followUp = await start(async ({ reply }) => {
      await reply('first');
      await reply({ content: 'second', files: ['a.png'] });
    });
    await followUp.run('/x');
    expect(followUp.calls).toEqual(['respond', 'uploadAll', 'followUp']);
    expect(followUp.bodies[1]).toMatchObject({ attachments: DRAFTS });
  });

  it('that take long do not keep the defer from being sent in time', async () => {
    const bot = await start(({ reply }) =>
      reply({ content: 'Look', files: ['big.mp4'] }).then(() => null),
    );
    const upload = bot.rest.hold('attachments.uploadAll');
    bot.type('/x');
    await bot.clock.advance(1_499);
    expect(bot.calls).toEqual(['uploadAll']);
    await bot.clock.advance(1);
    expect(bot.calls).toEqual(['uploadAll', 'defer']);
    upload.settle(DRAFTS);
    await bot.bot.idle();
    expect(bot.lines.at(-1)).toBe('respond Look');
  });

  it('let other replies go before them', async () => {
    const bot = await start(async ({ reply }) => {
      const files = reply({ content: 'with a file', files: ['big.mp4'] });
      await reply('without');
      await files;
    });
    const upload = bot.rest.hold('attachments.uploadAll');
    bot.type('/x');
    await settle();
    upload.settle(DRAFTS);
    await bot.bot.idle();
    expect(bot.lines.slice(1)).toEqual(['respond without', 'followUp with a file']);
  });

  it('of an unawaited reply are the answer as well', async () => {
    const bot = await start(({ reply }) => {
      void reply({ content: 'Look', files: ['a.png'] });
    });
    await bot.run('/x');
    expect(bot.lines).toEqual(['attachments.uploadAll', 'respond Look']);
  });

  it('are refused by edit(), before anything is uploaded', async () => {
    const bot = await start(async ({ reply, edit }) => {
      await reply('first');
      // JavaScript may pass anything.
      await edit({ content: 'second', files: ['a.png'] } as never);
    });
    await bot.run('/x');
    expect(bot.calls).toEqual(['respond', 'followUp']);
    expect(bot.log.at('error')).toEqual([
      '/x failed: A message is edited with files; an edit cannot contain files.',
    ]);
  });

  it('that do not arrive are why there is no answer', async () => {
    const bot = await start(() => ({ content: 'Look', files: ['a.png'] }));
    bot.rest.once('attachments.uploadAll', refused(413));
    expect(await bot.run('/x')).toEqual(['attachments.uploadAll', 'respond Something went wrong.']);
  });

  it('stop being uploaded when the command takes too long, which the user is shown', async () => {
    const bot = await start(({ reply }) => reply({ content: 'Look', files: ['big.mp4'] }));
    bot.rest.once(
      'attachments.uploadAll',
      (_: string, __: unknown, { signal }: { readonly signal: AbortSignal }) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(new Error('the upload was ended'))),
        ),
    );
    bot.type('/x');
    await bot.clock.advance(15 * 60_000);
    await bot.bot.idle();
    expect(bot.lines.at(-1)).toBe('respond This took too long. Please try again later.');
  });
});

describe('files of a returned answer', () => {
  it('that take long do not keep the defer from being sent in time', async () => {
    const bot = await start(() => ({ content: 'Look', files: ['big.mp4'] }));
    const upload = bot.rest.hold('attachments.uploadAll');
    bot.type('/x');
    await bot.clock.advance(1_500);
    expect(bot.calls).toEqual(['uploadAll', 'defer']);
    upload.settle(DRAFTS);
    await bot.bot.idle();
    expect(bot.lines.at(-1)).toBe('respond Look');
  });

  it('stop being uploaded when the command takes too long, which the user is shown', async () => {
    const bot = await start(() => ({ content: 'Look', files: ['big.mp4'] }));
    bot.rest.once(
      'attachments.uploadAll',
      (_: string, __: unknown, { signal }: { readonly signal: AbortSignal }) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(new Error('the upload was ended'))),
        ),
    );
    bot.type('/x');
    await bot.clock.advance(15 * 60_000);
    await bot.bot.idle();
    expect(bot.lines.at(-1)).toBe('respond This took too long. Please try again later.');
  });
});

describe('yield and append together', () => {
  it('write one after the other, the state that waits first', async () => {
    const bot = await start(async function* ({ append }) {
      yield 'Thinking';
      yield 'Thinking… ';
      await append(['about ', 'it']);
    });
    bot.type('/x');
    await bot.clock.advance(5_000);
    expect(bot.lines).toEqual([
      'respond Thinking',
      'edit Thinking… ',
      'edit Thinking… about',
      'edit Thinking… about it',
    ]);
  });

  it('let a returned text replace what was appended, and nothing leave it', async () => {
    const replaced = await start(async ({ append }) => {
      await append(['draft']);
      return 'final';
    });
    replaced.type('/x');
    await replaced.clock.advance(1_000);
    expect(replaced.lines).toEqual(['respond draft', 'edit final']);

    const left = await start(async ({ append }) => void (await append(['the text'])));
    left.type('/x');
    await left.clock.advance(1_000);
    expect(left.lines).toEqual(['respond the text']);
    expect(left.log.at('warn')).toEqual([]);
  });

  it('have an unawaited append delivered in full', async () => {
    const bot = await start(({ append, clock }) => {
      void append(
        (async function* () {
          yield 'one';
          await clock.sleep('2s');
          yield ' two';
        })(),
      );
    });
    bot.type('/x');
    await bot.clock.advance(5_000);
    expect(bot.lines).toEqual(['respond one', 'edit one two']);
  });
});
