import { EVENTS, type EventName } from '@virgule/core/protocol';
import { usageOf } from '@virgule/runtime/project';
import { countRoutes } from '../terminal/count-routes.js';
import { layOutTable, wrapText, type TextTableStyle } from '../terminal/text-table.js';
import { isObject } from '@virgule/core/objects';
import type { OpenedProject } from './open-project.js';

/** Returns the routes of a project, as far as they could be loaded. */
export function listRoutes({ manifest, project, config }: OpenedProject) {
  return {
    commands: manifest.commands.flatMap(({ name, file, middleware, errorHandlers }) => {
      const command = project.commands.get(name);
      if (command === undefined) return [];
      return {
        name,
        aliases: command.aliases,
        ...usageOf(command, config.messages),
        description: command.wire.description,
        options: command.wire.options,
        file,
        middleware,
        errorHandlers,
        settings: command.settings,
        deferAfterMs: command.deferAfterMs,
        timeoutMs: command.timeoutMs,
      };
    }),
    events: manifest.events.flatMap(({ event, file }) =>
      project.events.get(event)?.some((listener) => listener.file === file)
        ? { event, file, intent: intentOf(event) }
        : [],
    ),
    tasks: [...project.tasks.values()].map(({ name, file, settings, timeoutMs }) => ({
      name,
      file,
      settings,
      timeoutMs,
    })),
    intents: project.intents,
    services: manifest.services,
    config: manifest.config,
  };
}

/** Returns routes as tables: commands, event handlers and tasks. */
export function describeRoutes(
  { commands, events, tasks, services, config }: ReturnType<typeof listRoutes>,
  style: TextTableStyle,
): string {
  const table = (head: readonly string[], rows: readonly string[][]): readonly string[] =>
    layOutTable({ head, rows }, style);
  const tables = [
    table(
      ['command', 'file', 'middleware', 'settings'],
      commands.map(({ usage, file, middleware, settings }) => [
        usage,
        file,
        shortened(middleware, file).join(' > '),
        describeSettings(settings),
      ]),
    ),
    table(
      ['event', 'file', 'intent'],
      events.map(({ event, file, intent }) => [event, file, intent ?? '']),
    ),
    table(
      ['task', 'file', 'settings'],
      tasks.map(({ name, file, settings }) => [name, file, describeSettings(settings)]),
    ),
  ];
  const totals = [
    countRoutes({ commands: commands.length, events: events.length, tasks: tasks.length }),
    services && `services in ${services}`,
    config && `settings in ${config}`,
  ].filter(Boolean);
  const summary = wrapText(totals.join(', '), style.columns - 2).map((line) => `  ${line}`);
  const parts = [...tables, summary].filter((part) => part.length > 0);
  return `\n${parts.map((lines) => lines.join('\n')).join('\n\n')}\n\n`;
}

const describeSettings = (settings: Readonly<Record<string, unknown>>): string =>
  Object.entries(settings)
    .map(([key, value]) => describeSetting(key, value))
    .join(', ');

/** Returns the intent of an event; `null` for events of the framework. */
const intentOf = (event: string): string | null =>
  event in EVENTS ? (EVENTS[event as EventName].intent ?? null) : null;

/** Returns paths without the top folder of the routes, which the path of the command's file shows. */
function shortened(files: readonly string[], commandFile: string): string[] {
  const top = /^(?:src\/)?[^/]+\//.exec(commandFile)?.[0] ?? '';
  return files.map((file) => (file.startsWith(top) ? file.slice(top.length) : file));
}

/** Returns a setting in a few words: `defer now`, `cooldown (within 10s, per channel)`, `silent`. */
export const describeSetting = (key: string, value: unknown): string =>
  value === true ? key : `${key} ${describeValue(value)}`;

function describeValue(value: unknown): string {
  if (typeof value === 'function') return 'computed';
  if (Array.isArray(value)) return value.map(describeValue).join('+');
  if (!isObject(value)) return String(value);
  return `(${Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .map(([key, inner]) => describeSetting(key, inner))
    .join(', ')})`;
}

/** Names functions, which JSON cannot represent: the second argument of `JSON.stringify`. */
export const nameFunctions = (_key: string, value: unknown): unknown =>
  typeof value === 'function' ? '[function]' : value;
