import { computed, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { SimInteraction, SimMessage } from '@virgule/core/simulator-api';
import type { Connection } from '../net/ui-socket.js';
import type { RequestError } from '../net/request-error.js';
import { assignHues } from '../state/avatar.js';
import { EMPTY_LOG, type ChannelLog } from '../state/channel-log.js';
import type { Interactions } from '../state/interactions.js';
import { resolvePlace, type Place } from '../state/place.js';
import type { Route } from '../state/route.js';
import { buildTimeline, type TimelineRow } from '../state/timeline.js';
import { NO_TYPING, type Typing } from '../state/typing.js';
import { nothingUnread, type Unread } from '../state/unread.js';
import type { Past } from './time-travel.js';
import { EMPTY_WORLD, type World } from '../state/world.js';

/** An action that failed; shown until the user dismisses or retries it. */
export interface Failure {
  readonly id: number;
  /** The channel that was open; the failure is shown in it. */
  readonly channelId: string | null;
  /** Description of the action, such as the message that was not sent. */
  readonly what: string;
  readonly error: RequestError;
  readonly retry: () => void;
}

/** Position of the divider for new messages. */
interface NewLine {
  readonly channelId: string;
  readonly messageId: string;
}

/** The state of the page, as signals. Only actions and the socket write to it. */
export interface Store {
  readonly world: Signal<World>;
  readonly interactions: Signal<Interactions>;
  /** The moment that is shown; null for the present. */
  readonly past: Signal<Past | null>;
  readonly logs: Signal<ReadonlyMap<string, ChannelLog>>;
  /** Messages that are being sent, oldest first. */
  readonly sending: Signal<readonly SimMessage[]>;
  readonly typing: Signal<Typing>;
  readonly unread: Signal<Unread>;
  readonly newLine: Signal<NewLine | null>;
  readonly route: Signal<Route>;
  readonly connection: Signal<Connection>;
  readonly failures: Signal<readonly Failure[]>;
  /** Current time of countdowns and typing indicators, in milliseconds since the epoch. */
  readonly nowMs: Signal<number>;
  /** Text of the polite live region. */
  readonly spoken: Signal<string>;
  readonly isDrawerOpen: Signal<boolean>;
  readonly areProblemsCollapsed: Signal<boolean>;
  /** Id of the message that is highlighted after a jump. */
  readonly flashedId: Signal<string | null>;
  /** Id of the message that is shown as JSON. */
  readonly rawId: Signal<string | null>;

  /** Hue of each user's avatar. */
  readonly hues: ReadonlySignal<ReadonlyMap<string, number>>;
  readonly place: ReadonlySignal<Place>;
  readonly channelId: ReadonlySignal<string | null>;
  readonly openLog: ReadonlySignal<ChannelLog>;
  /** Interactions of the open channel. */
  readonly openInteractions: ReadonlySignal<readonly SimInteraction[]>;
  readonly timeline: ReadonlySignal<readonly TimelineRow[]>;
}

export function createStore(route: Route, nowMs: number): Store {
  const world = signal<World>(EMPTY_WORLD);
  const interactions = signal<Interactions>(new Map());
  const logs = signal<ReadonlyMap<string, ChannelLog>>(new Map());
  const sending = signal<readonly SimMessage[]>([]);
  const newLine = signal<NewLine | null>(null);
  const now = signal(nowMs);
  const routeSignal = signal(route);
  const past = signal<Past | null>(null);
  const place = computed(() => {
    const present = resolvePlace(world.value, routeSignal.value);
    // In the past, no one acts.
    return past.value === null ? present : { ...present, user: null };
  });
  const channelId = computed(() => place.value.channel?.id ?? null);
  const openLog = computed(() => logs.value.get(channelId.value ?? '') ?? EMPTY_LOG);
  const openInteractions = computed(() =>
    [...interactions.value.values()].filter((item) => item.channelId === channelId.value),
  );
  const timeline = computed(() =>
    buildTimeline({
      messages: openLog.value.messages,
      sending: sending.value.filter((message) => message.channelId === channelId.value),
      hasOlder: openLog.value.hasOlder,
      hasNewer: openLog.value.hasNewer,
      interactions: openInteractions.value,
      firstNewId: newLine.value?.channelId === channelId.value ? newLine.value.messageId : null,
      nowMs: now.value,
    }),
  );
  return {
    world,
    interactions,
    past,
    logs,
    sending,
    typing: signal<Typing>(NO_TYPING),
    unread: signal(nothingUnread(nowMs)),
    newLine,
    route: routeSignal,
    connection: signal<Connection>({ state: 'connecting' }),
    failures: signal<readonly Failure[]>([]),
    nowMs: now,
    spoken: signal(''),
    isDrawerOpen: signal(false),
    areProblemsCollapsed: signal(false),
    flashedId: signal<string | null>(null),
    rawId: signal<string | null>(null),
    hues: computed(() => assignHues(world.value.users.map((user) => user.id))),
    place,
    channelId,
    openLog,
    openInteractions,
    timeline,
  };
}
