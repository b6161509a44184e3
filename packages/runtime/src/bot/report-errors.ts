import { errorText, readableError } from '@virgule/core/errors';
import type { Project } from '../load/project.js';
import { attributeError, namesOf } from './attribute-error.js';
import type { BotEnvironment, OpenRun } from '../command/environment.js';

/** Reports an unhandled rejection in the log, and as an `error` event. */
export function reportRejection(
  thrown: unknown,
  project: Project,
  { log, runs, stopping, onError }: BotEnvironment,
): void {
  const reason = readableError(thrown);
  // Handlers may leave work running, such as reminders; that it ends with the bot is no error of theirs.
  if (stopping.aborted && reason === stopping.reason) {
    log.debug({}, 'the shutdown ended what a handler had left running');
    return;
  }
  const source = attributeError('unhandled rejection', reason, project, runs);
  const { command, file, interactionId } = source;
  log.error({ command, file, interactionId, err: reason }, `${source.text}: ${errorText(reason)}`);
  onError(reason, source.during);
}

/** Reports an uncaught exception, with the commands that the end of the process interrupts. */
export function reportUncaught(
  thrown: unknown,
  project: Project,
  { log, runs }: Pick<BotEnvironment, 'log' | 'runs'>,
): void {
  const error = readableError(thrown);
  const { command, file, text } = attributeError('uncaught exception', error, project, runs);
  const interrupted = interruptedNames(runs);
  const consequence = interrupted === '' ? '' : `; the process ends and interrupts ${interrupted}`;
  log.error({ command, file, err: error }, `${text}: ${errorText(error)}${consequence}`);
}

/** Returns the commands whose users wait, such as `/a, /b`; an empty string if there are none. */
export const interruptedNames = (runs: Iterable<OpenRun>): string =>
  namesOf([...runs].filter(({ lifetime }) => !lifetime.isOver));
