import type { VirguleError } from '@virgule/core/errors';
import { EVENT_ALIASES, EVENTS } from '@virgule/core/protocol';
import { compareText, didYouMean } from '@virgule/core/text';
import { scanErrors } from '../errors/scan-errors.js';
import { kebabCase } from './command-name.js';
import { isGroup, type SourceFile } from './project-paths.js';
import { wrappedFiles, type Wrapping } from './special-files.js';

const FRAMEWORK_EVENTS = ['ready', 'reconnect', 'gap', 'error', 'shutdown'] as const;

const fileNameOf = (event: string): string => kebabCase(event).replaceAll('_', '-');

const EVENT_BY_FILE_NAME: ReadonlyMap<string, string> = new Map<string, string>([
  ...Object.entries(EVENT_ALIASES).map(([alias, event]) => [fileNameOf(alias), event] as const),
  ...Object.keys(EVENTS).map((event) => [fileNameOf(event), event] as const),
  ...FRAMEWORK_EVENTS.map((event) => [event, event] as const),
]);

/** File names to suggest, as in the documentation. */
const KNOWN_FILE_NAMES = [...Object.keys(EVENTS).map(fileNameOf), ...FRAMEWORK_EVENTS];

export interface EventRoute extends Wrapping {
  /** Name of the event, such as `MESSAGE_CREATE`; events of the framework are in lower case. */
  readonly event: string;
  readonly file: string;
}

/** Finds the event handlers: the outermost folder, or else the file itself, names the event. */
export function eventRoutes(files: readonly SourceFile[], problems: VirguleError[]): EventRoute[] {
  return wrappedFiles(files, problems)
    .flatMap(({ source: { file, folders, stem }, wrapping }): EventRoute[] => {
      const name = fileNameOf(folders.find((folder) => !isGroup(folder)) ?? stem);
      const event = EVENT_BY_FILE_NAME.get(name);
      if (event !== undefined) return [{ event, file, ...wrapping }];
      const known = KNOWN_FILE_NAMES;
      const firstWords = known.map((each) => each.replace(/-.*/, ''));
      const first = didYouMean(name, firstWords);
      const meant =
        didYouMean(name, known) ??
        known.find((each) => each.startsWith(`${first}-`) || each.endsWith(`-${name}`));
      const details = { kind: 'event', file, name, meant, known } as const;
      problems.push(scanErrors.E_FILE_NAME(details, { location: { file } }));
      return [];
    })
    .sort((a, b) => compareText(a.event, b.event) || compareText(a.file, b.file));
}
