import { relative, resolve } from 'node:path';
import { raceAbort } from '@virgule/core/abort';
import { EVENTS, type EventName } from '@virgule/core/protocol';
import { countOf, showOnOneLine } from '@virgule/core/text';
import { formatUsage, type CommandRoute, type EventRoute } from '@virgule/runtime/project';
import { createColors } from '../terminal/colors.js';
import { createLoader } from '../loader/create-loader.js';
import { openProject, type OpenedProject } from '../project/open-project.js';
import { defineCliCommand } from '../terminal/command.js';
import { describeSetting, settingAsJson } from '../project/describe-setting.js';
import { readableIoEnv } from '../terminal/read-io-env.js';
import { layOutTable, wrapText, type TextTableStyle } from '../terminal/text-table.js';

export const list = defineCliCommand({
  name: 'list',
  words: '',
  about: 'List commands, events and tasks with their files, usage, middleware and settings',
  flags: {
    json: { type: 'boolean', about: 'Print one JSON object' },
  },
  exits: { 0: 'everything is listed', 1: 'some files have problems and are missing' },
  examples: ['virgule list', 'virgule list --json'],
  async run({ flags }, io) {
    const loader = createLoader({ root: io.cwd });
    const env = readableIoEnv(io, 'development');
    const opened = await raceAbort(
      openProject(io.cwd, loader.importModule, { env, redact: io.redact }),
      io.interrupt,
    );
    const { bold, dim } = createColors(io.color);
    const style = { columns: io.columns, strong: bold, dim };
    io.stdout.write(flags.json ? `${JSON.stringify(asJson(opened))}\n` : asText(opened, style));
    if (opened.problems.length === 0) return 0;
    const problems = countOf(opened.problems.length, 'problem');
    const named = opened.problems.flatMap(({ location }) => (location ? [location.file] : []));
    const files = [
      ...new Set(named.map((file) => showOnOneLine(relative(io.cwd, resolve(io.cwd, file))))),
    ];
    const where = files.length === 0 ? '' : ` in ${files.join(', ')}`;
    io.stderr.write(`${problems}${where}: not listed. Run \`virgule check\`.\n`);
    return 1;
  },
});

function asText(opened: OpenedProject, style: TextTableStyle): string {
  const { manifest, project } = opened;
  const commands = layOutTable(
    {
      head: ['command', 'file', 'middleware', 'settings'],
      rows: validRoutes(opened).map(({ route, command }) => [
        formatUsage(command),
        route.file,
        shortened(route.middleware, route.file).join(' > '),
        describeSettings(command.settings),
      ]),
    },
    style,
  );
  const events = layOutTable(
    {
      head: ['event', 'file', 'intent'],
      rows: validEvents(opened).map(({ event, file }) => [event, file, intentOf(event) ?? '']),
    },
    style,
  );
  const tasks = layOutTable(
    {
      head: ['task', 'file', 'settings'],
      rows: [...project.tasks.values()].map(({ name, file, settings }) => [
        name,
        file,
        describeSettings(settings),
      ]),
    },
    style,
  );
  const totals = [
    countOf(project.commands.size, 'command'),
    countOf(validEvents(opened).length, 'event handler'),
    project.tasks.size > 0 && countOf(project.tasks.size, 'task'),
    manifest.services && `services in ${manifest.services}`,
    manifest.config && `settings in ${manifest.config}`,
  ].filter(Boolean);
  const summary = wrapText(totals.join(', '), style.columns - 2).map((line) => `  ${line}`);
  const parts = [commands, events, tasks, summary].filter((part) => part.length > 0);
  return `\n${parts.map((lines) => lines.join('\n')).join('\n\n')}\n\n`;
}

function asJson(opened: OpenedProject) {
  const { manifest, project, problems } = opened;
  return {
    v: 1,
    commands: validRoutes(opened).map(({ route, command }) => ({
      name: command.name,
      aliases: command.aliases,
      usage: formatUsage(command),
      description: command.wire.description,
      options: command.wire.options,
      file: route.file,
      middleware: route.middleware,
      errorHandlers: route.errorHandlers,
      settings: settingAsJson(command.settings),
      deferAfterMs: command.deferAfterMs,
      timeoutMs: command.timeoutMs,
    })),
    events: validEvents(opened).map(({ event, file }) => ({
      event,
      file,
      intent: intentOf(event) ?? null,
    })),
    tasks: [...project.tasks.values()].map(({ name, file, settings, timeoutMs }) => ({
      name,
      file,
      settings: settingAsJson(settings),
      timeoutMs,
    })),
    intents: project.intents,
    services: manifest.services,
    config: manifest.config,
    problems: problems.length,
  };
}

const describeSettings = (settings: Readonly<Record<string, unknown>>): string =>
  Object.entries(settings)
    .map(([key, value]) => describeSetting(key, value))
    .join(', ');

/** Returns the commands that could be loaded, in the order of their names. */
function validRoutes({ manifest, project }: OpenedProject) {
  return manifest.commands.flatMap((route: CommandRoute) => {
    const command = project.commands.get(route.name);
    return command ? [{ route, command }] : [];
  });
}

/** Returns the event handlers that could be loaded, in the order they are called in. */
function validEvents({ manifest, project }: OpenedProject): EventRoute[] {
  return manifest.events.filter(({ event, file }) =>
    project.events.get(event)?.some((listener) => listener.file === file),
  );
}

/** Returns the intent an event needs; events of the framework need none. */
const intentOf = (event: string): string | undefined =>
  event in EVENTS ? EVENTS[event as EventName].intent : undefined;

/** Paths without the folder that all routes have in common, which the file of the command shows. */
function shortened(files: readonly string[], commandFile: string): string[] {
  const top = /^(?:src\/)?[^/]+\//.exec(commandFile)?.[0] ?? '';
  return files.map((file) => (file.startsWith(top) ? file.slice(top.length) : file));
}
