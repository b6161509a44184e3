import type { scan } from '../../src/scan/scan.js';

/** A listing of a project and what it means. */
export interface ScanCase {
  readonly title: string;
  readonly files: readonly string[];
  readonly config?: Parameters<typeof scan>[1];
  /** File of each command, by name. */
  readonly commands?: Readonly<Record<string, string>>;
  /** Middleware of each command that has some, outermost first. */
  readonly middleware?: Readonly<Record<string, readonly string[]>>;
  /** Error handlers of each command that has some, innermost first. */
  readonly errorHandlers?: Readonly<Record<string, readonly string[]>>;
  /** Event and file, in order. */
  readonly events?: readonly (readonly [event: string, file: string])[];
  readonly services?: string;
  readonly settings?: string;
  /** Code and file, in order. */
  readonly problems?: readonly (readonly [code: string, file: string])[];
}

export const scanCases: readonly ScanCase[] = [
  {
    title: 'a file makes a command',
    files: ['commands/hello.ts', 'package.json', 'README.md'],
    commands: { hello: 'commands/hello.ts' },
  },
  {
    title: 'commands may live below src',
    files: ['src/commands/hello.ts', 'src/lib/db.ts'],
    commands: { hello: 'src/commands/hello.ts' },
  },
  {
    title: 'a misspelled special file is an error, and no command below it runs without its guard',
    files: [
      'commands/hello.ts', 'commands/admin/_midleware.ts', 'commands/admin/ban.ts', 'commands/admin/(a)/kick.ts',
      'commands/(fun)/_errors.ts', 'commands/(fun)/roll.ts', 'commands/administer.ts',
    ],
    commands: { hello: 'commands/hello.ts', administer: 'commands/administer.ts' },
    problems: [
      ['E_FILE_NAME', 'commands/(fun)/_errors.ts'],
      ['E_FILE_NAME', 'commands/admin/_midleware.ts'],
    ],
  },
  {
    title: 'a misspelled guard counts although there is a right one',
    files: ['commands/hello.ts', 'commands/_middleware.ts', 'commands/_middlewares.ts'],
    problems: [['E_FILE_NAME', 'commands/_middlewares.ts']],
  },
  {
    title: 'all kinds of script files count',
    files: ['a.ts', 'b.mts', 'c.cts', 'd.js', 'e.mjs', 'f.cjs', 'g.tsx', 'h.jsx'].map((file) => `commands/${file}`),
    commands: {
      a: 'commands/a.ts', b: 'commands/b.mts', c: 'commands/c.cts', d: 'commands/d.js',
      e: 'commands/e.mjs', f: 'commands/f.cjs', g: 'commands/g.tsx', h: 'commands/h.jsx',
    },
  },
  {
    title: 'other files are not commands',
    files: ['commands/hello.ts', 'commands/README.md', 'commands/data.json', 'commands/style.css', 'commands/LICENSE'],
    commands: { hello: 'commands/hello.ts' },
  },
  {
    title: 'folders join into the name',
    files: ['commands/admin/ban.ts', 'commands/admin/users/list.ts'],
    commands: { 'admin-ban': 'commands/admin/ban.ts', 'admin-users-list': 'commands/admin/users/list.ts' },
  },
  {
    title: 'the separator can be chosen',
    files: ['commands/admin/banUser.ts'],
    config: { separator: '_' },
    commands: { 'admin_ban-user': 'commands/admin/banUser.ts' },
  },
  {
    title: 'the separator may be nothing, and then names can meet',
    files: ['commands/admin/ban.ts', 'commands/adminban.ts', 'commands/a/b/c.ts'],
    config: { separator: '' },
    commands: { abc: 'commands/a/b/c.ts', adminban: 'commands/admin/ban.ts' },
    problems: [['E_COMMAND_CONFLICT', 'commands/adminban.ts']],
  },
  {
    title: 'the separator stands between all folders, groups and indexes left out',
    files: ['commands/a/(g)/b/index.ts', 'commands/a/b_c.ts', 'commands/(x)/top.ts'],
    config: { separator: '_' },
    commands: { a_b: 'commands/a/(g)/b/index.ts', a_b_c: 'commands/a/b_c.ts', top: 'commands/(x)/top.ts' },
  },
  {
    title: 'every kind of script may be a special file, an event, services and configuration',
    files: [
      'commands/a.ts', 'commands/_middleware.mts', 'commands/_error.cjs', 'events/ready.mjs', 'events/error.cts',
      'events/shutdown.tsx', 'services.cjs', 'virgule.config.cjs',
    ],
    commands: { a: 'commands/a.ts' },
    middleware: { a: ['commands/_middleware.mts'] },
    errorHandlers: { a: ['commands/_error.cjs'] },
    events: [['error', 'events/error.cts'], ['ready', 'events/ready.mjs'], ['shutdown', 'events/shutdown.tsx']],
    services: 'services.cjs',
    settings: 'virgule.config.cjs',
  },
  {
    title: 'unicode folders may organise, and private ones may be called anything',
    files: ['commands/(игры)/roll.ts', 'commands/(🎲)/_lib/x.ts', 'commands/_größe/y.ts', 'commands/(🎲)/coin.ts'],
    commands: { coin: 'commands/(🎲)/coin.ts', roll: 'commands/(игры)/roll.ts' },
  },
  {
    title: 'one name in two unicode forms is one path elsewhere',
    files: ['commands/(caf\u00e9)/a.ts', 'commands/(cafe\u0301)/b.ts'],
    commands: { a: 'commands/(caf\u00e9)/a.ts', b: 'commands/(cafe\u0301)/b.ts' },
    problems: [['E_FILE_CONFLICT', 'commands/(caf\u00e9)']],
  },
  {
    title: 'hidden files mean nothing anywhere, editors leave them',
    files: ['commands/a.ts', 'commands/.a.ts.swp', 'commands/.#a.ts', 'events/.ready.ts', '.services.ts', '.virgule.config.ts'],
    commands: { a: 'commands/a.ts' },
  },
  {
    title: 'index is the command of its folder',
    files: ['commands/admin/index.ts', 'commands/admin/ban.ts', 'commands/index/page.ts'],
    commands: {
      admin: 'commands/admin/index.ts',
      'admin-ban': 'commands/admin/ban.ts',
      'index-page': 'commands/index/page.ts',
    },
  },
  {
    title: 'the index of the commands folder has no name',
    files: ['commands/index.ts', 'commands/(all)/index.ts', 'commands/ok.ts'],
    commands: { ok: 'commands/ok.ts' },
    problems: [['E_FILE_NAME', 'commands/(all)/index.ts'], ['E_FILE_NAME', 'commands/index.ts']],
  },
  {
    title: 'a folder in brackets organises without naming',
    files: ['commands/(fun)/roll.ts', 'commands/admin/(danger)/ban.ts', 'commands/(a)/(b)/deep.ts'],
    commands: {
      'admin-ban': 'commands/admin/(danger)/ban.ts',
      deep: 'commands/(a)/(b)/deep.ts',
      roll: 'commands/(fun)/roll.ts',
    },
  },
  {
    title: 'a leading underscore is private, for files and folders',
    files: ['commands/hello.ts', 'commands/_shared.ts', 'commands/_lib/format.ts', 'commands/admin/_lib/x/y.ts'],
    commands: { hello: 'commands/hello.ts' },
  },
  {
    title: 'special files in a private folder mean nothing',
    files: ['commands/hello.ts', 'commands/_lib/_middleware.ts', 'commands/_lib/_error.ts'],
    commands: { hello: 'commands/hello.ts' },
  },
  {
    title: 'tests and declarations are passed over',
    files: [
      'commands/hello.ts', 'commands/hello.test.ts', 'commands/hello.spec.js', 'commands/hello.test.helper.ts',
      'commands/hello.test-d.ts', 'commands/hello.d.ts', 'commands/hello.d.mts', 'commands/__tests__/a.ts',
      'commands/_middleware.test.ts',
    ],
    commands: { hello: 'commands/hello.ts' },
  },
  {
    title: 'a command may be called test or spec',
    files: ['commands/test.ts', 'commands/spec.ts', 'commands/d.ts'],
    commands: { d: 'commands/d.ts', spec: 'commands/spec.ts', test: 'commands/test.ts' },
  },
  {
    title: 'dot-files and dot-folders are passed over',
    files: ['commands/hello.ts', 'commands/.hidden.ts', 'commands/.cache/x.ts', 'commands/.ts'],
    commands: { hello: 'commands/hello.ts' },
  },
  {
    title: 'camel case becomes kebab case',
    files: ['playNext.ts', 'PlayLater.ts', 'HTTPStatus.ts', 'top10Songs.ts'].map((file) => `commands/${file}`),
    commands: {
      'http-status': 'commands/HTTPStatus.ts',
      'play-later': 'commands/PlayLater.ts',
      'play-next': 'commands/playNext.ts',
      'top10-songs': 'commands/top10Songs.ts',
    },
  },
  {
    title: 'underscores and digits inside a name stay',
    files: ['commands/play_next.ts', 'commands/8ball.ts'],
    commands: { '8ball': 'commands/8ball.ts', play_next: 'commands/play_next.ts' },
  },
  {
    title: 'names the platform refuses',
    files: ['commands/café.ts', 'commands/two words.ts', 'commands/a.b.ts', 'commands/[id].ts', 'commands/-x.ts', 'commands/привет.ts', 'commands/🎉.ts', 'commands/ok.ts'],
    commands: { ok: 'commands/ok.ts' },
    problems: [
      ['E_FILE_NAME', 'commands/-x.ts'],
      ['E_FILE_NAME', 'commands/[id].ts'],
      ['E_FILE_NAME', 'commands/a.b.ts'],
      ['E_FILE_NAME', 'commands/café.ts'],
      ['E_FILE_NAME', 'commands/two words.ts'],
      ['E_FILE_NAME', 'commands/привет.ts'],
      ['E_FILE_NAME', 'commands/🎉.ts'],
    ],
  },
  {
    title: 'a name may have 32 characters and no more',
    files: [`commands/${'a'.repeat(32)}.ts`, `commands/${'b'.repeat(33)}.ts`, `commands/${'c'.repeat(20)}/${'d'.repeat(20)}.ts`],
    commands: { ['a'.repeat(32)]: `commands/${'a'.repeat(32)}.ts` },
    problems: [
      ['E_FILE_NAME', `commands/${'b'.repeat(33)}.ts`],
      ['E_FILE_NAME', `commands/${'c'.repeat(20)}/${'d'.repeat(20)}.ts`],
    ],
  },
  {
    title: 'brackets that do not enclose a whole folder name are no group',
    files: ['commands/(fun/roll.ts', 'commands/()/x.ts'],
    problems: [['E_FILE_NAME', 'commands/()/x.ts'], ['E_FILE_NAME', 'commands/(fun/roll.ts']],
  },
  {
    title: 'a file and an index make the same command',
    files: ['commands/play.ts', 'commands/play/index.ts'],
    commands: { play: 'commands/play.ts' },
    problems: [['E_COMMAND_CONFLICT', 'commands/play/index.ts']],
  },
  {
    title: 'a compiled file beside its source makes the same command',
    files: ['commands/play.ts', 'commands/play.js'],
    commands: { play: 'commands/play.js' },
    problems: [['E_COMMAND_CONFLICT', 'commands/play.ts']],
  },
  {
    title: 'a dash and a folder make the same command',
    files: ['commands/admin/ban.ts', 'commands/admin-ban.ts', 'commands/(x)/adminBan.ts'],
    commands: { 'admin-ban': 'commands/(x)/adminBan.ts' },
    problems: [['E_COMMAND_CONFLICT', 'commands/admin-ban.ts']],
  },
  {
    title: 'two files that differ in case make the same command',
    files: ['commands/Ping.ts', 'commands/ping.ts'],
    commands: { ping: 'commands/Ping.ts' },
    problems: [['E_COMMAND_CONFLICT', 'commands/ping.ts'], ['E_FILE_CONFLICT', 'commands/ping.ts']],
  },
  {
    title: 'two files that differ in case and make different commands',
    files: ['commands/playNext.ts', 'commands/playnext.ts'],
    commands: { 'play-next': 'commands/playNext.ts', playnext: 'commands/playnext.ts' },
    problems: [['E_FILE_CONFLICT', 'commands/playnext.ts']],
  },
  {
    title: 'two folders that differ in case, told once',
    files: ['commands/Admin/ban.ts', 'commands/admin/kick.ts', 'commands/admin/mute.ts', 'commands/Admin/_middleware.ts'],
    commands: {
      'admin-ban': 'commands/Admin/ban.ts',
      'admin-kick': 'commands/admin/kick.ts',
      'admin-mute': 'commands/admin/mute.ts',
    },
    middleware: { 'admin-ban': ['commands/Admin/_middleware.ts'] },
    problems: [['E_FILE_CONFLICT', 'commands/admin']],
  },
  {
    title: 'middleware holds for its folder and everything below, outermost first',
    files: [
      'commands/_middleware.ts', 'commands/hello.ts', 'commands/admin.ts', 'commands/admin/_middleware.js',
      'commands/admin/ban.ts', 'commands/admin/index.ts', 'commands/admin/(danger)/_middleware.ts',
      'commands/admin/(danger)/wipe.ts', 'commands/(fun)/_middleware.ts', 'commands/(fun)/roll.ts',
    ].filter((file) => file !== 'commands/admin.ts'),
    commands: {
      admin: 'commands/admin/index.ts',
      'admin-ban': 'commands/admin/ban.ts',
      'admin-wipe': 'commands/admin/(danger)/wipe.ts',
      hello: 'commands/hello.ts',
      roll: 'commands/(fun)/roll.ts',
    },
    middleware: {
      admin: ['commands/_middleware.ts', 'commands/admin/_middleware.js'],
      'admin-ban': ['commands/_middleware.ts', 'commands/admin/_middleware.js'],
      'admin-wipe': ['commands/_middleware.ts', 'commands/admin/_middleware.js', 'commands/admin/(danger)/_middleware.ts'],
      hello: ['commands/_middleware.ts'],
      roll: ['commands/_middleware.ts', 'commands/(fun)/_middleware.ts'],
    },
  },
  {
    title: 'a file beside a folder is not below it',
    files: ['commands/admin.ts', 'commands/admin/_middleware.ts', 'commands/admin/ban.ts'],
    commands: { admin: 'commands/admin.ts', 'admin-ban': 'commands/admin/ban.ts' },
    middleware: { 'admin-ban': ['commands/admin/_middleware.ts'] },
  },
  {
    title: 'error handlers are asked from the inside out',
    files: ['commands/_error.ts', 'commands/a/_error.ts', 'commands/a/b/_error.ts', 'commands/a/b/c.ts', 'commands/d.ts'],
    commands: { 'a-b-c': 'commands/a/b/c.ts', d: 'commands/d.ts' },
    errorHandlers: {
      'a-b-c': ['commands/a/b/_error.ts', 'commands/a/_error.ts', 'commands/_error.ts'],
      d: ['commands/_error.ts'],
    },
  },
  {
    title: 'one folder has one middleware file',
    files: ['commands/_middleware.js', 'commands/_middleware.ts', 'commands/x.ts'],
    commands: { x: 'commands/x.ts' },
    middleware: { x: ['commands/_middleware.js'] },
    problems: [['E_FILE_CONFLICT', 'commands/_middleware.ts']],
  },
  {
    title: 'no commands folder',
    files: ['package.json', 'src/index.ts', 'command/hello.ts'],
    problems: [['E_NO_COMMANDS_FOLDER', 'commands']],
  },
  {
    title: 'a bot of events alone',
    files: ['events/message-create.ts'],
    events: [['MESSAGE_CREATE', 'events/message-create.ts']],
  },
  {
    title: 'a bot of tasks alone',
    files: ['src/tasks/digest.ts'],
  },
  {
    title: 'an empty listing',
    files: [],
    problems: [['E_NO_COMMANDS_FOLDER', 'commands']],
  },
  {
    title: 'two commands folders',
    files: ['commands/a.ts', 'src/commands/b.ts'],
    commands: { a: 'commands/a.ts' },
    problems: [['E_FILE_CONFLICT', 'src/commands/b.ts']],
  },
  {
    title: 'a second commands folder without code is no problem',
    files: ['commands/a.ts', 'src/commands/README.md', 'src/commands/a.test.ts'],
    commands: { a: 'commands/a.ts' },
  },
  {
    title: 'a commands folder without commands is there',
    files: ['commands/README.md', 'commands/_lib.ts'],
  },
  {
    title: 'a folder whose name only begins alike is not the commands folder',
    files: ['commands-old/a.ts', 'commands/b.ts'],
    commands: { b: 'commands/b.ts' },
  },
  {
    title: 'paths with backslashes, as Windows writes them',
    files: ['commands\\admin\\ban.ts', 'commands\\_middleware.ts', 'events\\message-create.ts', '.\\services.ts'],
    commands: { 'admin-ban': 'commands/admin/ban.ts' },
    middleware: { 'admin-ban': ['commands/_middleware.ts'] },
    events: [['MESSAGE_CREATE', 'events/message-create.ts']],
    services: 'services.ts',
  },
  {
    title: 'a path listed twice counts once',
    files: ['commands/a.ts', './commands/a.ts', 'commands\\a.ts'],
    commands: { a: 'commands/a.ts' },
  },
  {
    title: 'an event file is named after its event',
    files: ['commands/a.ts', 'events/message-create.ts', 'events/voice-state-update.js', 'events/application-command.ts'],
    commands: { a: 'commands/a.ts' },
    events: [
      ['APPLICATION_COMMAND', 'events/application-command.ts'],
      ['MESSAGE_CREATE', 'events/message-create.ts'],
      ['VOICE_STATE_UPDATE', 'events/voice-state-update.js'],
    ],
  },
  {
    title: 'a folder per event, several handlers in the order of their paths',
    files: [
      'commands/a.ts', 'src/events/message-create/log.ts', 'src/events/message-create/10-count.ts',
      'src/events/message-create/index.ts', 'src/events/message-create.ts', 'src/events/message-create/_shared.ts',
      'src/events/(chat)/message-update.ts', 'src/events/message-create/(x)/deep.ts', 'src/events/message-create/log.test.ts',
    ],
    commands: { a: 'commands/a.ts' },
    events: [
      ['MESSAGE_CREATE', 'src/events/message-create.ts'],
      ['MESSAGE_CREATE', 'src/events/message-create/(x)/deep.ts'],
      ['MESSAGE_CREATE', 'src/events/message-create/10-count.ts'],
      ['MESSAGE_CREATE', 'src/events/message-create/index.ts'],
      ['MESSAGE_CREATE', 'src/events/message-create/log.ts'],
      ['MESSAGE_UPDATE', 'src/events/(chat)/message-update.ts'],
    ],
  },
  {
    title: 'other spellings and the other name of an event',
    files: [
      'commands/a.ts', 'events/messageCreate.ts', 'events/MESSAGE_DELETE.ts', 'events/message_update.ts',
      'events/VoiceStateChanged.ts', 'events/voice-state-changed/x.ts',
    ],
    commands: { a: 'commands/a.ts' },
    events: [
      ['MESSAGE_CREATE', 'events/messageCreate.ts'],
      ['MESSAGE_DELETE', 'events/MESSAGE_DELETE.ts'],
      ['MESSAGE_UPDATE', 'events/message_update.ts'],
      ['VOICE_STATE_UPDATE', 'events/VoiceStateChanged.ts'],
      ['VOICE_STATE_UPDATE', 'events/voice-state-changed/x.ts'],
    ],
  },
  {
    title: 'events of the framework',
    files: ['commands/a.ts', ...['ready', 'reconnect', 'error', 'Shutdown'].map((name) => `events/${name}.ts`)],
    commands: { a: 'commands/a.ts' },
    events: [
      ['error', 'events/error.ts'],
      ['ready', 'events/ready.ts'],
      ['reconnect', 'events/reconnect.ts'],
      ['shutdown', 'events/Shutdown.ts'],
    ],
  },
  {
    title: 'names that are not events',
    files: ['commands/a.ts', 'events/message-crate.ts', 'events/lib/db.ts', 'events/index.ts', 'events/_lib/ok.ts'],
    commands: { a: 'commands/a.ts' },
    problems: [
      ['E_FILE_NAME', 'events/index.ts'],
      ['E_FILE_NAME', 'events/lib/db.ts'],
      ['E_FILE_NAME', 'events/message-crate.ts'],
    ],
  },
  {
    title: 'event files that differ in case',
    files: ['commands/a.ts', 'events/ready/Log.ts', 'events/ready/log.ts'],
    commands: { a: 'commands/a.ts' },
    events: [['ready', 'events/ready/Log.ts'], ['ready', 'events/ready/log.ts']],
    problems: [['E_FILE_CONFLICT', 'events/ready/log.ts']],
  },
  {
    title: 'two events folders',
    files: ['commands/a.ts', 'events/ready.ts', 'src/events/error.ts'],
    commands: { a: 'commands/a.ts' },
    events: [['ready', 'events/ready.ts']],
    problems: [['E_FILE_CONFLICT', 'src/events/error.ts']],
  },
  {
    title: 'services and configuration',
    files: ['commands/a.ts', 'src/services.mts', 'virgule.config.mjs', 'src/virgule.config.ts', 'lib/services.ts', 'services.d.ts'],
    commands: { a: 'commands/a.ts' },
    services: 'src/services.mts',
    settings: 'virgule.config.mjs',
  },
  {
    title: 'two files for the services, two for the configuration',
    files: ['commands/a.ts', 'services.ts', 'src/services.ts', 'virgule.config.js', 'virgule.config.ts'],
    commands: { a: 'commands/a.ts' },
    services: 'services.ts',
    settings: 'virgule.config.js',
    problems: [['E_FILE_CONFLICT', 'src/services.ts'], ['E_FILE_CONFLICT', 'virgule.config.ts']],
  },
  {
    title: 'every problem of a project at once, sorted by file',
    files: [
      'commands/Bad Name.ts', 'commands/play.js', 'commands/play.ts', 'commands/index.ts', 'events/nope.ts',
      'src/services.ts', 'services.ts', 'commands/admin/_error.ts', 'commands/admin/_error.js',
    ],
    commands: { play: 'commands/play.js' },
    services: 'services.ts',
    problems: [
      ['E_FILE_NAME', 'commands/Bad Name.ts'],
      ['E_FILE_CONFLICT', 'commands/admin/_error.ts'],
      ['E_FILE_NAME', 'commands/index.ts'],
      ['E_COMMAND_CONFLICT', 'commands/play.ts'],
      ['E_FILE_NAME', 'events/nope.ts'],
      ['E_FILE_CONFLICT', 'src/services.ts'],
    ],
  },
];
