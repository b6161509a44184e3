import { computed, signal } from '@preact/signals';
import type { SimMessage } from '@virgule/core/simulator-api';
import type { Connection } from '../net/ui-socket.js';
import type { RequestError } from '../net/request-error.js';
import { EMPTY_LOG, type ChannelLog } from '../state/channel-log.js';
import type { Interactions } from '../state/interactions.js';
import { namesIn } from '../state/mention-name.js';
import { resolvePlace } from '../state/place.js';
import type { Route } from '../state/route.js';
import { buildTimeline } from '../state/timeline.js';
import { NO_TYPING, type Typing } from '../state/typing.js';
import type { Unread } from '../state/unread.js';
import type { Past } from './time-travel.js';
import { EMPTY_WORLD, type World } from '../state/world.js';

/** A failed action, which is shown until the user dismisses or retries it. */
export interface Failure {
  readonly id: number;
  /** The channel that was open during the action, where the failure is shown. */
  readonly channelId: string | null;
  /** Description of the action, such as the message that was not sent. */
  readonly what: string;
  readonly error: RequestError;
  readonly retry: () => void;
}

/** Hues of the avatars of the users in turn, in degrees. */
export const HUES = [250, 20, 60, 105, 150, 195, 300, 345] as const;

export type Store = ReturnType<typeof createStore>;

/** Creates the state of the page, as signals. Only actions and the socket write to it. */
export function createStore(route: Route, nowMs: number) {
  const signals = {
    world: signal<World>(EMPTY_WORLD),
    interactions: signal<Interactions>(new Map()),
    /** The shown moment; null for the present. */
    past: signal<Past | null>(null),
    logs: signal<ReadonlyMap<string, ChannelLog>>(new Map()),
    /** Messages that are being sent, oldest first. */
    sending: signal<readonly SimMessage[]>([]),
    typing: signal<Typing>(NO_TYPING),
    unread: signal<Unread>(new Map()),
    /** Position of the divider for new messages. */
    newLine: signal<{ readonly channelId: string; readonly messageId: string } | null>(null),
    route: signal(route),
    connection: signal<Connection>('connecting'),
    failures: signal<readonly Failure[]>([]),
    /** Current time of countdowns and typing indicators, in milliseconds since the epoch. */
    nowMs: signal(nowMs),
    /** Text of the polite live region. */
    spoken: signal(''),
    isDrawerOpen: signal(false),
    areProblemsCollapsed: signal(false),
  };
  const { world, interactions, past, logs, sending, newLine } = signals;
  const place = computed(() => {
    const present = resolvePlace(world.value, signals.route.value);
    // No user acts in the past.
    return past.value === null ? present : { ...present, user: null };
  });
  const channelId = computed(() => place.value.channel?.id ?? null);
  const openLog = computed(() => logs.value.get(channelId.value ?? '') ?? EMPTY_LOG);
  /** Interactions of the open channel. */
  const openInteractions = computed(() =>
    [...interactions.value.values()].filter((item) => item.channelId === channelId.value),
  );
  const timeline = computed(() =>
    buildTimeline({
      ...openLog.value,
      sending: sending.value.filter((message) => message.channelId === channelId.value),
      interactions: openInteractions.value,
      firstNewId: newLine.value?.channelId === channelId.value ? newLine.value.messageId : null,
      nowMs: signals.nowMs.value,
    }),
  );
  const hues = computed(
    () => new Map(world.value.users.map(({ id }, at) => [id, HUES[at % HUES.length]])),
  );
  const names = computed(() => namesIn(world.value));
  const setLog = (id: string, log: ChannelLog): void =>
    void (logs.value = new Map(logs.peek()).set(id, log));
  return { ...signals, setLog, place, channelId, openLog, openInteractions, timeline, names, hues };
}
