import { EVENTS, type EventName } from '@virgule/core/protocol';
import { createChannelHandle } from '../context/channel-handle.js';
import { createContextClock } from '../context/context-clock.js';
import type { ContextServices } from '../context/event-context.js';
import type { Provided } from '../context/provided.js';
import type { EventListener, Project } from '../load/project.js';

export interface EventRunnerOptions extends ContextServices {
  readonly signal: AbortSignal;
  /** What the bot gives to every handler. */
  readonly provided: Provided;
}

export interface EventRunner {
  /** Starts every handler of an event. The promises never reject. */
  run(project: Project, event: string, data: unknown, botUserId: string): Promise<void>[];
}

export function createEventRunner({
  rest,
  log,
  clock,
  random,
  signal,
  provided,
}: EventRunnerOptions): EventRunner {
  const contextClock = createContextClock(clock, signal);
  const done = new WeakSet<EventListener>();

  async function runOne(listener: EventListener, data: unknown): Promise<void> {
    const channelId = stringField(data, 'channelId');
    try {
      await listener.run({
        data,
        here: channelId === undefined ? undefined : createChannelHandle(rest, channelId, signal),
        channel: (id) => createChannelHandle(rest, id, signal),
        services: provided.services,
        env: provided.env,
        rest,
        log,
        signal,
        clock: contextClock,
        random,
      });
    } catch (error) {
      log.error(
        { event: listener.event, file: listener.file, err: error },
        `${listener.file} failed: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }

  return {
    run(project, event, rawData, botUserId) {
      const listeners = project.events.get(event);
      if (!listeners) return [];
      const data = readPayload(event, rawData);
      if (data === undefined) {
        log.warn(
          { event },
          `The payload of ${event} is not as expected: its handlers are skipped.`,
        );
        return [];
      }
      const own = isOwn(data, botUserId);
      return listeners.flatMap((listener) => {
        if ((own && !listener.own) || (listener.once && done.has(listener))) return [];
        done.add(listener);
        return [runOne(listener, data)];
      });
    },
  };
}

/** Payloads are read only when someone listens. Unknown fields stay; `undefined` means a needed one is missing. */
function readPayload(event: string, data: unknown): unknown {
  if (!Object.hasOwn(EVENTS, event)) return data;
  const parsed = EVENTS[event as EventName].payload.safeParse(data);
  return parsed.success ? parsed.data : undefined;
}

/** Whether the bot caused the event itself, as far as the payload tells. */
function isOwn(data: unknown, botUserId: string): boolean {
  return (stringField(data, 'authorId') ?? stringField(data, 'userId')) === botUserId;
}

function stringField(data: unknown, name: string): string | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const value = (data as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' ? value : undefined;
}
