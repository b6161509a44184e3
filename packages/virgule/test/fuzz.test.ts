import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { inAllRuns, runs } from '../../core/test/fixtures/property-runs.js';
import { run } from '../src/commands/command-line.js';
import { fuzzBot } from '../src/fuzz/fuzz-bot.js';
import { createTestIo } from './test-io.js';
import { answering, createTestProject } from './test-project.js';

async function ioOf(files: Readonly<Record<string, string>>) {
  const project = await createTestProject(files);
  onTestFinished(() => project[Symbol.asyncDispose]());
  return createTestIo({ cwd: project.root });
}

async function fuzz(files: Readonly<Record<string, string>>, ...argv: string[]) {
  const io = await ioOf(files);
  const code = await run(['fuzz', '--seed', '1', ...argv], io);
  return { code, out: io.out, err: io.err, lines: io.out.trimEnd().split('\n') };
}

/** A command file with options and the body of its handler. */
const command = (options: string, body: string, more = ''): string =>
  `import * as z from 'zod';
import { option } from 'virgule';
export default { description: 'X', ${more}
  options: z.object({ ${options} }),
  run: async ({ options, clock, here, log, random, reply, rest, storage, interactionId }) => { ${body} } };`;

/** Bugs of handlers, and the end of the line that describes each. */
const PLANTED: readonly (readonly [name: string, file: string, what: RegExp])[] = [
  [
    'remind',
    command('in: option.duration()', 'return new Date(clock.now() + options.in).toISOString();'),
    /^\S+ {2}throws RangeError: Invalid time value {2}commands\/remind\.ts:5$/,
  ],
  [
    'double',
    command('text: z.string()', 'return ">" + options.text + options.text;'),
    / fails: \/double answered with 2001 characters/,
  ],
  [
    'trim',
    command('text: z.string()', 'return options.text.trim();'),
    / fails: \/trim answered with 0 characters/,
  ],
  [
    'find',
    command('word: z.string()', 'return "x" + new RegExp(options.word).test("x");'),
    / throws SyntaxError: Invalid regular expression/,
  ],
  [
    'count',
    command('word: z.string()', 'return "x" + ({ a: [1] }[options.word] ?? []).join();'),
    / throws TypeError: /,
  ],
  [
    'dice',
    command('sides: z.int().min(1).max(100)', 'return "#".repeat(99 - options.sides) + ".";'),
    /^100 {2}throws RangeError: Invalid count value: -1/,
  ],
  [
    'mute',
    command('n: z.int().optional()', 'if (options.n !== 0) return "x";'),
    / logs "\/mute ended without an answer/,
  ],
  [
    'hang',
    command('on: z.boolean()', 'if (options.on) await new Promise(() => {}); return "x";'),
    /^yes {2}does not end within 3 s$/,
  ],
  [
    'wait',
    command(
      'n: z.int()',
      'await clock.sleep(options.n > 9 ? "1h" : "4s"); return "x";',
      'timeout: "1m",',
    ),
    /^10 {2}does not end before its timeout$/,
  ],
  [
    'lost',
    command('n: z.int()', 'if (options.n < 0) void Promise.reject(Error("lost")); return "x";'),
    /^-1 {2}leaves an error unhandled: Error: lost/,
  ],
  [
    'noisy',
    command('n: z.array(z.int())', 'if (options.n.length > 2) log.error("odd"); return "x";'),
    / logs "odd"$/,
  ],
  [
    'long',
    command('text: z.string()', 'if (options.text.length > 9_999) throw Error(); return "x";'),
    /^x+… \(\d+ characters\) …x+ {2}throws Error/,
  ],
  [
    'luck',
    command('', 'if (random() < 0.03) throw Error("unlucky"); return "x";'),
    / throws Error: unlucky/,
  ],
];

const AGAIN = command(
  '',
  `const body = { content: 'again' };
   await rest.interactions.respond(interactionId, body).catch(
     () => rest.interactions.followUp(interactionId, body));
   return null;`,
);
const IMPATIENT = command(
  '',
  `const startMs = clock.now();
   await reply('done');
   if (clock.now() - startMs > 200) await reply('That took long.');`,
);
/** Bots that users notice under each kind of faults. */
const FAULTY: readonly (readonly [fault: string, files: Readonly<Record<string, string>>])[] = [
  ...['flaky gateway', 'zombie socket'].map(
    (fault) =>
      [
        fault,
        {
          'lib/listeners.ts': 'export const listeners = [];',
          'events/ready.ts': `import { listeners } from '../lib/listeners.js';
            export default () => void listeners.push('x');`,
          'commands/x.ts': `import { listeners } from '../lib/listeners.js';
            ${command('', 'for (const each of listeners) await reply(each);')}`,
        },
      ] as const,
  ),
  ...['rate limited', 'API down', 'slow API'].map(
    (fault) => [fault, { 'commands/x.ts': IMPATIENT }] as const,
  ),
  ...['lost answers', 'bad day'].map((fault) => [fault, { 'commands/x.ts': AGAIN }] as const),
  [
    'doubled events',
    {
      'events/message-create.ts': `export default ({ data, reply }) =>
      data.content === '!x' ? reply('x') : undefined;`,
    },
  ],
  [
    'expired commands',
    {
      'commands/x.ts': `let isBroken = false;
        ${command(
          '',
          `if (isBroken) return null;
          try { await reply('x'); } catch (error) { isBroken = true; throw error; }`,
        )}`,
    },
  ],
];

describe('virgule fuzz', () => {
  it('finds planted bugs within 2,000 lines, one line each', async () => {
    const planted = PLANTED.slice(-runs(PLANTED.length * 3));
    const files = planted.map(([name, file]) => [`commands/${name}.ts`, file] as const);
    const { code, err, lines } = await fuzz(Object.fromEntries(files));
    expect([code, err]).toEqual([1, '']);
    const last = `^${planted.length} findings, (?:[1-9]|1,?\\d)?\\d{2,3} lines, seed 1`;
    expect(lines.at(-1)).toMatch(RegExp(last));
    expect(lines).toHaveLength(planted.length + 1);
    for (const [name, , what] of planted)
      expect(lines.filter((line) => line.startsWith(`✗ /${name} `))).toEqual([
        expect.stringMatching(RegExp(what.source.replace(/^\^/, `^✗ /${name} `))),
      ]);
  });

  it('finds nothing in a bot that answers, and counts what it does not control', async () => {
    const { code, out, err } = await fuzz({
      'commands/hello.ts': answering('hello'),
      'commands/when.ts': command('n: z.int()', 'return "x" + (Date.now() > 1);'),
      'commands/rest.ts': command('', 'return "x";', 'cooldown: "1h", messages: "only",'),
      'commands/size.ts': `import * as z from 'zod';
        import { option } from 'virgule';
        export default { description: 'X', options: z.object({ file: option.attachment() }),
          run: async ({ options, fetchAttachment }) =>
            'x' + (await (await fetchAttachment(options.file)).text()).length };`,
      'services.ts': `export default ({ env }) => {
        if (env.MODE !== 'test') throw Error('wrong environment'); return {}; };`,
      'virgule.config.ts': `import * as z from 'zod';
        export default { env: z.object({ MODE: z.string() }) };`,
      '.env.test': 'MODE=test',
    });
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(
      /^0 findings, \d+ lines, seed 1; not under control: \d+ Date\.now \(commands\/when\.ts:5\)\n$/,
    );
  });

  it('waits for a cooldown without thousands of runs of a task that repeats', async () => {
    const runs = { count: 0 };
    vi.stubGlobal('bonus', runs);
    onTestFinished(() => void vi.unstubAllGlobals());
    const { code, out } = await fuzz({
      'commands/greet.ts': command('', 'return "x";', 'cooldown: "10s",'),
      'tasks/bonus.ts': `export default { every: '30s', run: () => void (bonus.count += 1) };`,
    });
    expect([code, out]).toEqual([0, expect.stringMatching(/^0 findings/)]);
    expect(runs.count).toBeGreaterThan(0);
    expect(runs.count).toBeLessThan(1_000);
  });

  it('types message commands, lines of the user, and names commands that took no line', async () => {
    const files = {
      'commands/roll.ts': command(
        'n: z.string().regex(/^#\\d$/)',
        'throw Error("broken");',
        'messages: true,',
      ),
    };
    const { code, out } = await fuzz(files, '!roll #1');
    expect([code, out]).toEqual([
      1,
      '✗ !roll #1  throws Error: broken  commands/roll.ts:5\n1 finding, 3 lines, seed 1\n',
    ]);
    const { code: none, out: skipped } = await fuzz(files);
    expect(none).toBe(0);
    expect(skipped).toContain(
      'Skipped (no valid options): /roll. Pass a line of your own, as in virgule fuzz "/roll OPTIONS".\n',
    );
  });

  it('calls a command by code for a line of the user that is longer than a message', async () => {
    const body = 'if (options.words.join().length > 2_500) throw Error("long"); return "x";';
    const files = { 'commands/say.ts': command('words: z.array(z.string())', body) };
    const { lines } = await fuzz(files, `/say ${'word '.repeat(600)}`);
    expect(lines[0]).toMatch(/^✗ \/say word .* throws Error: long {2}commands\/say\.ts:5$/);
  });

  it('calls a command by code if the mentions in its message make it too long', async () => {
    const options = 'user: option.user(), text: z.string()';
    const files = { 'commands/say.ts': command(options, 'return "x";', 'messages: true,') };
    const { lines } = await fuzz(files, `!say @ada ${'a'.repeat(1_985)}`);
    expect(lines).toEqual(['0 findings, 1 line, seed 1']);
  });

  it('prints JSON, in which a finding that does not repeat is unstable, and no failure', async () => {
    const body = 'count += 1; if (count === 5) throw Error("fifth"); return "x";';
    const files = { 'commands/fifth.ts': `let count = 0; ${command('n: z.int()', body)}` };
    const { code, out } = await fuzz(files, '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      v: 1,
      seed: 1,
      findings: [{ what: 'throws Error: fifth', place: 'commands/fifth.ts:5', unstable: true }],
      skipped: [],
      free: [],
    });
  });

  it.runIf(inAllRuns).each(FAULTY)(
    'finds what users notice with --faults "%s"',
    async (fault, files) => {
      const { code, out, err } = await fuzz(
        files,
        '--faults',
        fault,
        ...('events/message-create.ts' in files ? ['!x'] : []),
      );
      expect([code, err]).toEqual([1, '']);
      expect(out).toMatch(RegExp(`^✗ .x +ends .* instead of answered with .*"${fault}"`));
    },
  );

  it('finds a bug that occurs only before another command has stored something', async () => {
    const files = {
      'commands/add.ts': command('', `await storage.set('names', 'x'); return 'Added.';`),
      'commands/show.ts': command('', `return (await storage.get('names')).toUpperCase();`),
    };
    const { code, out } = await fuzz(files);
    expect([code, out.match(/✗/g)?.length]).toEqual([1, 1]);
    expect(out).toMatch(/^✗ \/show {2}throws TypeError: .*commands\/show\.ts:5$/m);
  });

  it('runs lines of the user in their order, on one storage', async () => {
    const files = {
      'commands/add.ts': command('', `await storage.set('n', 1); return 'Added.';`),
      'commands/show.ts': command('', `return ((await storage.get('n')) ?? 'no').toUpperCase();`),
    };
    const { code, lines } = await fuzz(files, '/add', '/show', '/show 1');
    expect([code, lines]).toEqual([
      1,
      [expect.stringMatching(/^✗ \/show {2}throws TypeError/), expect.anything()],
    ]);
  });

  it('finds bugs and their simplest lines although the storage changes', async () => {
    const files = {
      'commands/buy.ts': command(
        'n: z.int().min(1).max(20)',
        `const left = (await storage.get('left')) ?? 10;
         if (options.n > left) throw RangeError('only ' + left);
         await storage.set('left', left - options.n); return 'Bought.';`,
      ),
      'commands/claim.ts': command(
        'name: z.string().regex(/^[a-z]+$/)',
        `if (await storage.get(options.name)) return 'Taken.';
         await storage.set(options.name, true); throw Error('no notice');`,
      ),
    };
    const { code, lines } = await fuzz(files, '/claim x');
    expect([code, lines]).toEqual([1, [expect.stringMatching(/^✗ \/claim x /), expect.anything()]]);
    const { lines: found } = await fuzz(files);
    expect(found).toContainEqual(expect.stringMatching(/^✗ \/buy 11 .*only 10/));
    expect(found.filter((line) => line.includes('only'))).toHaveLength(1);
  });

  it.runIf(inAllRuns)('is certain of a line that hangs because of the storage', async () => {
    const body = `if (await storage.get('open')) await new Promise(() => {});
      await storage.set('open', options.n); return 'ok';`;
    const { code, lines } = await fuzz({ 'commands/a.ts': command('n: z.int()', body) });
    expect([code, lines[0]]).toEqual([1, expect.stringMatching(/^✗ \/a .* does not end/)]);
  });

  it.runIf(inAllRuns)('finds nothing in a bot that answers under every fault', async () => {
    const files = {
      'commands/hello.ts': answering('hello'),
      'commands/file.ts': command(
        '',
        'return { content: "file", files: [{ name: "a.txt", data: "a" }] };',
      ),
    };
    expect(await fuzz(files, '--faults')).toMatchObject({ code: 0, err: '' });
  });

  it('reads faults from a file', async () => {
    const on = { request: 'interactions.respond' };
    const rules = [{ name: 'expire', on, do: { type: 'expire' }, times: 1 }];
    const files = { 'commands/x.ts': answering('x'), 'f.json': JSON.stringify({ rules }) };
    const { code, out } = await fuzz(files, '--faults', 'f.json');
    expect([code, out]).toEqual([
      1,
      expect.stringContaining(
        'ends expired with 0 messages instead of answered with 1 message, with "f.json"',
      ),
    ]);
    const { err } = await fuzz({ 'commands/x.ts': answering('x') }, '--faults', 'none.json');
    expect(err).toMatch(/\[E_SIM_FAULTS\].*ENOENT/);
  });

  it.each([
    [['--seed', 'x'], '--seed takes a whole number'],
    [['--faults', 'earthquake'], '"bad day"'],
    [[''], 'in quotes'],
  ])('refuses %j', async (argv, text) => {
    const { code, err } = await fuzz({ 'commands/x.ts': answering('x') }, ...argv);
    expect([code, err]).toEqual([1, expect.stringMatching(/\[E_ARGUMENTS\]/)]);
    expect(err).toContain(text);
  });

  it('says that fast-check is missing', async () => {
    const missing = Object.assign(new Error('none'), { code: 'ERR_MODULE_NOT_FOUND' });
    const fuzzing = fuzzBot([], {}, await ioOf({}), () => Promise.reject(missing));
    await expect(fuzzing).rejects.toMatchObject({
      code: 'E_RUNTIME',
      hint: 'Run `npm install --save-dev fast-check`.',
    });
  });
});
