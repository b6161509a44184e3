/** Secret of the environment, which the bot stores too. */
export const SECRET = 'qzjwxkvyqzjwxkvy';

/** A command or an event handler with a bug, and the use that provokes it. */
interface Bug {
  readonly file: string;
  /** Body of the handler; `FIXED` is true after the fix. */
  readonly body: string;
  /** Lines that users type. A line that does not begin with `/` is a message. */
  readonly lines: readonly string[];
  /** Code before the handler. */
  readonly state?: string;
}

const bug = (file: string, body: string, lines: readonly string[], state = ''): Bug => ({
  file,
  body,
  lines,
  state,
});

/** 20 bugs: 5 of the input, 4 of the order, 3 of the clock, 4 of the storage, 4 of answers of the platform. */
export const BUGS: readonly Bug[] = [
  bug('commands/quote.ts', `return FIXED ? text : text.split('"')[3].trim();`, [
    '/quote say "WORD"',
  ]),
  bug('commands/word.ts', `return FIXED ? text : text.split(' ')[2].toUpperCase();`, [
    '/word WORD WORD',
  ]),
  bug(
    'commands/limit.ts',
    `if (!FIXED && text.length > 40) throw new RangeError('too long'); return 'ok';`,
    ['/limit WORD WORD WORD WORD WORD WORD'],
  ),
  bug('commands/sign.ts', `if (!FIXED) decodeURIComponent(text); return 'ok';`, [
    '/sign 100% WORD',
  ]),
  bug(
    'commands/name.ts',
    `if (!FIXED && text.includes('ada')) throw new TypeError('no Ada'); return 'ok';`,
    ['/name ada WORD'],
  ),
  bug(
    'commands/twice.ts',
    `open += 1; await clock.sleep('2s'); if (!FIXED && open > 1) throw new Error('two at once'); return 'ok';`,
    ['/twice WORD', '/twice WORD'],
    'let open = 0;',
  ),
  bug(
    'commands/last.ts',
    `const mine = (last = {}); await clock.sleep('2s'); if (!FIXED && last !== mine) throw new Error('replaced'); return 'ok';`,
    ['/last WORD', '/last WORD'],
    'let last: object;',
  ),
  bug(
    'commands/race.ts',
    `const had = (await storage.get('race')) ?? 0; await clock.sleep('2s'); await storage.set('race', had + 1); open += 1; await clock.sleep('1s'); if (!FIXED && open !== (await storage.get('race'))) throw new Error('lost'); return 'ok';`,
    ['/race WORD', '/race WORD'],
    'let open = 0;',
  ),
  bug(
    'commands/full.ts',
    `open.add(text); await clock.sleep('2s'); if (!FIXED && open.size === 2) throw new Error('full'); return 'ok';`,
    ['/full WORD a', '/full WORD WORD'],
    'const open = new Set<string>();',
  ),
  bug(
    'commands/year.ts',
    `if (!FIXED && new Date(clock.now()).getUTCFullYear() > 2025) throw new Error('expired'); return 'ok';`,
    ['/year WORD'],
  ),
  bug(
    'commands/month.ts',
    `const { length } = new Date(clock.now()).toISOString().split('-')[1] === '01' ? [] : [1]; if (!FIXED && length > 0) throw new Error('not in January'); return 'ok';`,
    ['/month WORD'],
  ),
  bug(
    'commands/pause.ts',
    `const from = clock.now(); await clock.sleep('1s'); if (!FIXED && clock.now() - from > 900) throw new Error('slow'); return 'ok';`,
    ['/pause WORD'],
  ),
  bug(
    'commands/points.ts',
    `const user = await storage.get('points:' + channelId); if (!FIXED) user.total.toFixed(); return 'ok';`,
    ['/points WORD'],
  ),
  bug(
    'commands/count.ts',
    `const { length } = await storage.list('note:'); if (!FIXED && length > 2) throw new Error('too many'); return 'ok';`,
    ['/count WORD'],
  ),
  bug(
    'commands/grow.ts',
    `await storage.update('grow', (list) => { if (!FIXED && list.length > 3) throw new Error('full'); return list; }); return 'ok';`,
    ['/grow WORD'],
  ),
  bug(
    'commands/pair.ts',
    `const all = await storage.get('pair'); if (!FIXED && all[0] === all[1]) throw new Error('same'); return 'ok';`,
    ['/pair WORD'],
  ),
  bug(
    'commands/history.ts',
    `try { await rest.messages.list(channelId); } catch (error) { if (!FIXED) throw error; } return 'ok';`,
    ['/history WORD'],
  ),
  bug(
    'commands/server.ts',
    `const channels = await rest.servers.channels(serverId).catch(() => []); if (!FIXED && channels.length === 0) throw new Error('none'); return 'ok';`,
    ['/server WORD'],
  ),
  bug(
    'commands/dice.ts',
    `if (!FIXED && Math.floor(random() * 1e6) % 2 > 0) throw new Error('odd'); return 'ok';`,
    Array(12).fill('/dice WORD'),
  ),
  bug(
    'events/message-create.ts',
    `if (!FIXED && data.content.split('://').length > 1) throw new TypeError('a link'); return undefined;`,
    ['see https://WORD.example/WORD.png'],
  ),
];

const isEvent = ({ file }: Bug): boolean => file.startsWith('events/');

/** Returns the files of the bot with all bugs. */
export const filesOf = (fixed: boolean): Readonly<Record<string, string>> =>
  Object.fromEntries([
    ['fixed.ts', `export const FIXED: boolean = ${fixed};`],
    [
      'virgule.config.ts',
      `export default { failed: process.env.KEEP ? { text: 'keep' as const } : {} };`,
    ],
    ...BUGS.map((each) => {
      const { file, body, state = '' } = each;
      const names = 'text, clock, storage, rest, random, channelId, serverId, data, here';
      const run = `async ({ ${isEvent(each) ? names.replace('text, ', '') : names.replace('text, ', 'options: { text }, ')} }: any) => { ${body} }`;
      const command = `export default { description: 'x', options: z.object({ text: z.string() }), run: ${run} };`;
      const text = isEvent(each) ? `export default ${run};` : command;
      return [
        file,
        `import * as z from 'zod';\nimport { FIXED } from '../fixed.js';\n${state}\n${text}`,
      ];
    }),
  ]);
