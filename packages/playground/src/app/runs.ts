import { computed, signal } from '@preact/signals';
import type { SimChannel, SimEvent, SimMessage } from '@virgule/core/simulator-api';
import {
  conversationFrom,
  isCommand,
  notPlayable,
  playable,
  sayStep,
  type Step,
} from '../state/conversation.js';
import { isFailed, isOpen } from '../state/interactions.js';
import type { SimApi } from '../net/sim-api.js';
import type { Actions, Writer } from './actions.js';
import type { BrowserPort } from './browser-port.js';
import type { Store } from './store.js';
import { commandOf, commandsIn, isOwnBot } from '../state/bots.js';

/** Maximum time for which a step waits for the earlier messages of the bot, in milliseconds. */
const MAX_WAIT_MS = 3_000;

/** Actions of users that run again after each reload of the bot. */
export interface Pin {
  readonly channel: SimChannel;
  readonly steps: readonly Step[];
  /** Answers of the bot in the run before; `null` for the first run. */
  readonly before: readonly string[] | null;
  /** Start of the last run, on the clock of the simulator. */
  readonly startMs: number;
  /** Number of finished steps. */
  readonly done: number;
  /** `true` if the run waits for nothing more. */
  readonly isOver: boolean;
  /** Interactions of the commands of the run. */
  readonly interactionIds: readonly string[];
}

const NOT_RUN = { startMs: 0, done: 0, isOver: false, interactionIds: [] } as const;

export interface RunsWorld extends Pick<BrowserPort, 'setTimer'> {
  /** The time on the clock of the simulator. */
  readonly now: () => number;
  readonly api: Pick<SimApi, 'ask' | 'act'>;
  /** Moves the clock of the world by a duration. */
  readonly advance: (time: string) => void;
}

/** Creates the commands and conversations that run again after a reload. */
export function createRuns(
  store: Store,
  actions: Pick<Actions, 'runCommand' | 'sendMessage' | 'react'>,
  { now, setTimer, api, advance }: RunsWorld,
) {
  const pin = signal<Pin | null>(null);
  /** Answers of the bot in the last run. */
  const answer = computed(() => answerOf(store, pin.value));

  function start(writer: Writer, rawInput: string, onStarted?: (id: string) => void): void {
    const world = store.world.peek();
    const server = world.servers.find(({ id }) => id === writer.channel.serverId);
    const word = /^\/(\S+)/.exec(rawInput)?.[1] ?? '';
    const command = server && commandOf(commandsIn(world, server), word);
    if (command) actions.runCommand(writer, command, rawInput, onStarted);
  }

  function currentWriter(): Writer | null {
    const { channel, user } = store.place.peek();
    return channel === null || user === null ? null : { channel, user };
  }

  /** Resolves when the bot has written `count` messages, or the time is up. */
  async function written(count: number): Promise<void> {
    if (answer.peek().texts.length >= count) return;
    let stop = () => {};
    await new Promise<void>((resolve) => {
      stop = answer.subscribe(({ texts }) => {
        if (texts.length >= count) resolve();
      });
      setTimer(resolve, MAX_WAIT_MS);
    });
    stop();
  }

  function perform(run: Pin, step: Step, onStarted: (id: string) => void): void {
    if (step.type === 'advance') advance(`${step.ms}ms`);
    if (step.type !== 'say' && step.type !== 'react') return;
    const user = store.world.peek().users.find(({ username }) => username === step.user);
    if (user === undefined) return;
    const writer = { channel: run.channel, user };
    if (step.type === 'react') {
      const message = messagesOfBot(store, run)[step.after - 1];
      if (message) actions.react(user, message, step.emoji, false);
    } else if (isCommand(step)) start(writer, step.text, onStarted);
    else actions.sendMessage(writer, { content: step.text, replyTo: null });
  }

  async function play(next: Omit<Pin, keyof typeof NOT_RUN>): Promise<void> {
    let run: Pin = { ...next, ...NOT_RUN, startMs: now() };
    pin.value = run;
    // A later run or the end of the pin replaces the object.
    const isCurrent = () => pin.peek() === run;
    const update = (change: Partial<Pin>) => {
      if (isCurrent()) pin.value = run = { ...run, ...change };
    };
    for (const step of next.steps) {
      await written(step.after);
      if (!isCurrent()) return;
      perform(run, step, (id) => update({ interactionIds: [...run.interactionIds, id] }));
      update({ done: run.done + 1 });
    }
    await written(next.before?.length ?? 0);
    update({ isOver: true });
  }

  return {
    pin,
    answer,
    /** Runs a line as the acting user in the open channel. */
    again(rawInput: string) {
      const writer = currentWriter();
      if (writer) start(writer, rawInput);
    },
    /** Pins a line and runs it. */
    pinLine(rawInput: string) {
      const writer = currentWriter();
      if (writer === null) return;
      const { channel, user } = writer;
      void play({ channel, steps: [sayStep(user.username, rawInput, 0)], before: null });
    },
    /** Pins the actions of users from a message on, and repeats them. */
    replay(from: SimMessage) {
      const world = store.world.peek();
      const channel = world.channels.find(({ id }) => id === from.channelId);
      if (channel === undefined) return;
      const log = store.logs.peek().get(channel.id)?.messages ?? [];
      const interactions = store.interactions.peek();
      const { steps, answers } = conversationFrom(from, log, interactions, world);
      if (steps.length > 0) void play({ channel, steps, before: answers });
    },
    /** Pins a saved conversation and plays it. Throws if the page cannot play the conversation. */
    async playSaved(name: string) {
      const { channels, users } = store.world.peek();
      const { text } = await api.ask('conversation', { name });
      const { channelName, steps } = playable(text, users);
      const open = store.place.peek().channel;
      const channel =
        channelName === undefined ? open : channels.find((each) => each.name === channelName);
      if (!channel) throw notPlayable(`There is no channel ${channelName}.`);
      if (steps.length > 0) void play({ channel, steps, before: null });
    },
    /** Saves the pin as a conversation. Resolves with its name. */
    async save() {
      const { channel, steps } = pin.peek() ?? { channel: { name: '' }, steps: [] };
      const text = [`#${channel.name}`, ...steps.map(({ source }) => source), ''].join('\n');
      const name = /\/([\w-]+)/.exec(text)?.[1] ?? channel.name.replaceAll(/[^\w-]/g, '-');
      await api.act('conversation', { name, text });
      return name;
    },
    /** Must be called after the event is applied to the store. */
    receive(event: SimEvent) {
      const last = pin.peek();
      if (event.type !== 'reloaded' || last === null) return;
      const { channel, steps, before } = last;
      const { state, texts } = answer.peek();
      const isComplete = state !== 'running' && state !== 'failed';
      void play({ channel, steps, before: isComplete ? texts : before });
    },
  };
}

/** Answers of the bot in a run, compared with the run before. */
export interface RunAnswer {
  readonly state: 'running' | 'failed' | 'first' | 'same' | 'changed';
  /** Contents of the messages of the bot, oldest first. */
  readonly texts: readonly string[];
}

type Chat = Pick<Store, 'interactions' | 'logs' | 'world'>;

/** Returns the messages of the bot in the last run of a pin, oldest first. */
function messagesOfBot({ logs, world }: Chat, pin: Pin): readonly SimMessage[] {
  return (logs.value.get(pin.channel.id)?.messages ?? []).filter(
    ({ authorId, isDeleted, interactionId, createdAt }) =>
      !isDeleted &&
      isOwnBot(world.value, authorId) &&
      (interactionId === null
        ? Date.parse(createdAt) >= pin.startMs
        : pin.interactionIds.includes(interactionId)),
  );
}

function answerOf(store: Chat, pin: Pin | null): RunAnswer {
  if (pin === null) return { state: 'running', texts: [] };
  const { steps, done, isOver, interactionIds, before } = pin;
  const texts = messagesOfBot(store, pin).map(({ content }) => content);
  const runs = interactionIds.map((id) => store.interactions.value.get(id));
  if (runs.some(isFailed)) return { state: 'failed', texts };
  const started = steps.slice(0, done).filter(isCommand).length;
  const isWaiting = runs.length < started || runs.some((run) => run === undefined || isOpen(run));
  if (done < steps.length || (texts.length < (before?.length ?? 1) && (!isOver || isWaiting)))
    return { state: 'running', texts };
  if (before === null) return { state: 'first', texts };
  const isSame = texts.length === before.length && texts.every((text, at) => text === before[at]);
  return { state: isSame ? 'same' : 'changed', texts };
}
