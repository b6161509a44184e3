import { EVENTS, type EventName } from '@virgule/core/protocol';
import { countOf } from '@virgule/core/text';
import { usageOf, type CommandRoute, type EventRoute } from '@virgule/runtime/project';
import { layOutTable, wrapText, type TextTableStyle } from '../terminal/text-table.js';
import { isObject } from '@virgule/core/objects';
import type { OpenedProject } from './open-project.js';

/** Returns the routes of a project as tables: commands, event handlers and tasks. */
export function describeRoutes(opened: OpenedProject, style: TextTableStyle): string {
  const { manifest, project } = opened;
  const table = (head: readonly string[], rows: readonly string[][]): readonly string[] =>
    layOutTable({ head, rows }, style);
  const commands = table(
    ['command', 'file', 'middleware', 'settings'],
    validRoutes(opened).map(({ route, command }) => [
      usageOf(command, opened.config.messages).usage,
      route.file,
      shortened(route.middleware, route.file).join(' > '),
      describeSettings(command.settings),
    ]),
  );
  const events = table(
    ['event', 'file', 'intent'],
    validEvents(opened).map(({ event, file }) => [event, file, intentOf(event) ?? '']),
  );
  const tasks = table(
    ['task', 'file', 'settings'],
    Array.from(project.tasks.values(), ({ name, file, settings }) => [
      name,
      file,
      describeSettings(settings),
    ]),
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

/** Returns the routes of a project as data. */
export function routesAsJson(opened: OpenedProject) {
  const { manifest, project } = opened;
  return {
    commands: validRoutes(opened).map(({ route, command }) => ({
      name: command.name,
      aliases: command.aliases,
      ...usageOf(command, opened.config.messages),
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
  };
}

const describeSettings = (settings: Readonly<Record<string, unknown>>): string =>
  Object.entries(settings)
    .map(([key, value]) => describeSetting(key, value))
    .join(', ');

/** Returns the commands that could be loaded, sorted by name. */
function validRoutes({ manifest, project }: OpenedProject) {
  return manifest.commands.flatMap((route: CommandRoute) => {
    const command = project.commands.get(route.name);
    return command ? [{ route, command }] : [];
  });
}

/** Returns the event handlers that could be loaded, in call order. */
function validEvents({ manifest, project }: OpenedProject): EventRoute[] {
  return manifest.events.filter(({ event, file }) =>
    project.events.get(event)?.some((listener) => listener.file === file),
  );
}

/** Returns the intent of an event; `undefined` for events of the framework. */
const intentOf = (event: string): string | undefined =>
  event in EVENTS ? EVENTS[event as EventName].intent : undefined;

/** Returns paths without the top folder of the routes, which the path of the command's file shows. */
function shortened(files: readonly string[], commandFile: string): string[] {
  const top = /^(?:src\/)?[^/]+\//.exec(commandFile)?.[0] ?? '';
  return files.map((file) => (file.startsWith(top) ? file.slice(top.length) : file));
}

/** Returns a setting in a few words: `defer now`, `cooldown (within 10s, per channel)`, `silent`. */
export function describeSetting(key: string, value: unknown): string {
  return value === true ? key : `${key} ${describeValue(value)}`;
}

function describeValue(value: unknown): string {
  if (typeof value === 'function') return 'computed';
  if (Array.isArray(value)) return value.map(describeValue).join('+');
  if (!isObject(value)) return String(value);
  return `(${Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .map(([key, inner]) => describeSetting(key, inner))
    .join(', ')})`;
}

/** Returns a setting as data: functions are named, and values that JSON cannot represent are omitted. */
export function settingAsJson(value: unknown): unknown {
  const named = (_key: string, inner: unknown): unknown =>
    typeof inner === 'function' ? '[function]' : inner;
  return JSON.parse(JSON.stringify(value, named));
}
