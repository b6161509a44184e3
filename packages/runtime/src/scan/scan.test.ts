import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scanCases } from '../../test/samples/scan-cases.js';
import type { CommandRoute } from './named-routes.js';
import { configFileIn, scan } from './scan.js';

const byName = <T>(
  commands: readonly CommandRoute[],
  pick: (command: CommandRoute) => T,
): Record<string, T> =>
  Object.fromEntries(commands.map((command) => [command.name, pick(command)]));

const filled = <T>(lists: Record<string, readonly T[]>): Record<string, readonly T[]> =>
  Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0));

describe('configFileIn', () => {
  it.each([
    [['commands/a.ts', 'virgule.config.ts'], 'virgule.config.ts'],
    [['.\\virgule.config.mjs'], 'virgule.config.mjs'],
    [['virgule.config.ts', 'virgule.config.js'], 'virgule.config.js'],
    [['src/virgule.config.ts', 'virgule.config.json', 'virgule.config.test.ts'], null],
  ])('finds in %j the file that scan takes: %s', (files, file) => {
    expect(configFileIn(files)).toBe(file);
    expect(scan(files).manifest.config).toBe(file);
  });
});

describe('scan', () => {
  it.each([
    ['message', 'Did you mean message-create?'],
    ['messages', 'Did you mean message-create?'],
    ['messageUpdat', 'Did you mean message-update?'],
    ['reaction', 'The events are message-create, '],
    ['reaction-add', 'Did you mean message-reaction-add?'],
    ['voice', 'Did you mean voice-state-update?'],
    ['greeting', 'events/message-create/greeting.ts'],
  ])('says which event events/%s.ts may be for', (name, hint) => {
    const { problems } = scan([`events/${name}.ts`, 'commands/a.ts']);
    expect(problems).toMatchObject([{ code: 'E_FILE_NAME', hint: expect.stringContaining(hint) }]);
    expect(problems[0]?.hint).not.toContain('voice-state-changed');
  });

  it.each(scanCases)('$title', (sample) => {
    const { manifest, problems } = scan(sample.files, sample.config);
    const { commands } = manifest;
    expect({
      commands: byName(commands, ({ file }) => file),
      middleware: filled(byName(commands, ({ middleware }) => middleware)),
      errorHandlers: filled(byName(commands, ({ errorHandlers }) => errorHandlers)),
      events: manifest.events.map(({ event, file }) => [event, file]),
      services: manifest.services,
      settings: manifest.config,
      problems: problems.map(({ code, location }) => [code, location?.file]),
    }).toEqual({
      commands: sample.commands ?? {},
      middleware: sample.middleware ?? {},
      errorHandlers: sample.errorHandlers ?? {},
      events: sample.events ?? [],
      services: sample.services ?? null,
      settings: sample.settings ?? null,
      problems: sample.problems ?? [],
    });
  });

  it('sorts commands by name', () => {
    const { manifest } = scan(['commands/zoo.ts', 'commands/b/a.ts', 'commands/ant.ts']);
    expect(manifest.commands.map(({ name }) => name)).toEqual(['ant', 'b-a', 'zoo']);
  });

  it('says where it looked for commands', () => {
    const [problem] = scan(['index.ts']).problems;
    expect(problem?.message).toContain('commands/ or src/commands/');
    expect(problem?.hint).toContain('commands/hello.ts');
  });

  it('names all files that make one command', () => {
    const [problem] = scan(['commands/a/b.ts', 'commands/a-b.ts', 'commands/(x)/a-b.ts']).problems;
    expect(problem?.message).toBe(
      '3 files define /a-b: commands/(x)/a-b.ts, commands/a-b.ts and commands/a/b.ts.',
    );
  });

  it('knows a compiled file next to its source', () => {
    expect(scan(['commands/a.ts', 'commands/a.js']).problems[0]?.hint).toContain('compiled');
    expect(scan(['commands/a.ts', 'commands/a/index.ts']).problems[0]?.hint).not.toContain(
      'compiled',
    );
  });

  it.each([
    ['commands/two words.ts', 'contains " "'],
    ['commands/-x.ts', 'starts with "-"'],
    [`commands/${'x'.repeat(40)}.ts`, 'is 40 characters long, and 32 are allowed'],
    ['commands/index.ts', 'has no name'],
  ])('says why the name of %s is refused', (file, why) => {
    expect(scan([file]).problems[0]?.message).toContain(why);
  });

  it.each([
    ['_midleware', '_middleware.ts'],
    ['_Middleware', '_middleware.ts'],
    ['_MIDDLEWARE', '_middleware.ts'],
    ['_middlewares', '_middleware.ts'],
    ['_middle-ware', '_middleware.ts'],
    ['_middlware', '_middleware.ts'],
    ['_mddleware', '_middleware.ts'],
    ['_Error', '_error.ts'],
    ['_errors', '_error.ts'],
    ['_eror', '_error.ts'],
    ['_errror', '_error.ts'],
    ['__middleware', '_middleware.ts'],
    ['_middleware/index', '_middleware.ts'],
    ['_Middleware/index', '_middleware.ts'],
    ['_midleware/index', '_middleware.ts'],
    ['_iddleware', '_middleware.ts'],
    ['_nmiddleware', '_middleware.ts'],
    ['middleware', '_middleware.ts'],
    ['Middleware', '_middleware.ts'],
    ['_error/index', '_error.ts'],
  ])('reports %s.ts as a misspelled special file', (stem, meant) => {
    const { manifest, problems } = scan([`commands/${stem}.ts`, 'commands/ban.ts']);
    expect(manifest.commands).toEqual([]);
    expect(problems).toMatchObject([
      { code: 'E_FILE_NAME', hint: expect.stringContaining(`Did you mean ${meant}?`) },
    ]);
  });

  it.each([
    '_lib',
    '_shared',
    '_mirror',
    '_editor',
    '_order',
    '_middle',
    '_x',
    '_',
    '__error__',
    '_errors/index',
    '_middleware/roles',
    '_lib/index',
    '_lib/_middleware/index',
  ])('leaves %s.ts private', (stem) => {
    const { manifest, problems } = scan([`commands/${stem}.ts`, 'commands/ban.ts']);
    expect([manifest.commands.length, problems]).toEqual([1, []]);
  });

  it('knows the events of the framework itself by their names', () => {
    const names = ['error', 'gap', 'ready', 'reconnect', 'shutdown'];
    const { manifest, problems } = scan([
      'commands/a.ts',
      ...names.map((name) => `events/${name}.ts`),
    ]);
    expect(manifest.events.map(({ event }) => event)).toEqual(names);
    expect(problems).toEqual([]);
  });

  it('suggests the event that was meant', () => {
    const { problems } = scan(['commands/a.ts', 'events/mesage-create.ts', 'events/zzz.ts']);
    expect(problems.map(({ hint }) => hint)).toEqual([
      expect.stringContaining('Did you mean message-create?'),
      expect.stringContaining('message-create, message-update, message-delete'),
    ]);
  });

  it.each([
    [['commands/_lib.ts', 'commands/README.md'], 'commands'],
    [['src/commands/a.test.ts'], 'src/commands'],
  ])('warns that %j hold no command', (files, folder) => {
    const { manifest, problems, warnings } = scan(files);
    expect({ commands: manifest.commands, problems }).toEqual({ commands: [], problems: [] });
    expect(warnings).toMatchObject([{ code: 'E_NO_COMMANDS', location: { file: folder } }]);
    expect(warnings[0]?.message).toBe(`${folder}/ contains no command.`);
  });

  it.each(['_middleware.ts', 'src/_error.js', 'tasks/_middleware.ts', 'src/tasks/mail/_error.tsx'])(
    'warns that %s has no effect',
    (file) => {
      const { problems, warnings } = scan(['commands/a.ts', file]);
      expect(problems).toEqual([]);
      expect(warnings).toMatchObject([
        {
          code: 'E_FILE_NAME',
          message: `${file} has no effect here: a special file applies to its folder of commands or events.`,
          location: { file },
        },
      ]);
    },
  );

  it.each([
    [['commands/a.ts']],
    [['commands/Bad Name.ts']],
    [['index.ts']],
    [['commands/a.ts', 'middleware.ts', 'src/error.ts', 'tasks/_errors.ts']],
  ])('has no warning for %j', (files) => {
    expect(scan(files).warnings).toEqual([]);
  });

  it('reports each command below a folder whose name the separator does not fit into', () => {
    const { manifest, problems } = scan(['commands/a/b.ts', 'commands/c.ts'], { separator: ':' });
    expect(manifest.commands.map(({ name }) => name)).toEqual(['c']);
    expect(problems).toMatchObject([
      { code: 'E_FILE_NAME', message: expect.stringContaining('/a:b, which contains ":"') },
    ]);
  });

  it('names both folders that differ in case only', () => {
    const [problem] = scan(['commands/A/x.ts', 'commands/a/y.ts']).problems;
    expect(problem?.message).toContain('commands/A and commands/a');
  });

  it('takes 10,000 files in any order to the same result', () => {
    const files = Array.from({ length: 10_000 }, (_, n) => `commands/g${n % 100}/c${n}.ts`);
    files.push('commands/_middleware.ts', 'commands/g7/_middleware.ts');
    const { manifest, problems } = scan(files);
    expect(problems).toEqual([]);
    expect(manifest.commands).toHaveLength(10_000);
    expect(manifest.commands.find(({ name }) => name === 'g7-c107')?.middleware).toEqual([
      'commands/_middleware.ts',
      'commands/g7/_middleware.ts',
    ]);
    expect(scan(files.toReversed())).toEqual({ manifest, problems, warnings: [] });
  });

  it('returns the same result for any order of any listing, and never throws', () => {
    const part = fc.constantFrom(
      'a',
      'B',
      '(g)',
      '_x',
      '.d',
      'index',
      'a b',
      'message-create',
      'é',
    );
    const last = fc.constantFrom('a.ts', 'A.ts', 'a.js', '_error.ts', 'index.ts', 'a.test.ts', 'x');
    const path = fc
      .tuple(
        fc.constantFrom('commands', 'events', 'src/commands', 'lib'),
        fc.array(part, { maxLength: 3 }),
        last,
      )
      .map(([top, parts, file]) => [top, ...parts, file].join('/'));
    fc.assert(
      fc.property(
        fc.array(path, { maxLength: 20 }),
        fc.array(fc.string(), { maxLength: 3 }),
        (paths, noise) => {
          const files = [...paths, ...noise];
          const result = scan(files);
          expect(scan(files.toReversed())).toEqual(result);
          expect(result.problems.every(({ location }) => location !== undefined)).toBe(true);
          const names = result.manifest.commands.map(({ name }) => name);
          expect(new Set(names).size).toBe(names.length);
        },
      ),
    );
  });
});
