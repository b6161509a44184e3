import { computed, signal, type ReadonlySignal } from '@preact/signals';
import type { SimEvent } from '@virgule/core/simulator-api';
import { answerOf, type RunAnswer } from '../state/run-answer.js';
import type { Actions, Writer } from './actions.js';
import type { Store } from './store.js';

/** A command that runs again whenever the code of the bot was reloaded. */
export interface Pin {
  readonly rawInput: string;
  readonly writer: Writer;
  /** Of its last run; `null` until it has begun. */
  readonly interactionId: string | null;
  /** What the run before answered; `null` if there was none. */
  readonly before: string | null;
}

/** Commands that run again. */
export interface Runs {
  readonly pin: ReadonlySignal<Pin | null>;
  /** What the last run of the pinned command answered. */
  readonly answer: ReadonlySignal<RunAnswer>;
  /** Runs a line as the acting user in the open channel. */
  again(rawInput: string): void;
  /** Pins a line, and runs it. */
  pinLine(rawInput: string): void;
  unpin(): void;
  /** Must be called after the event is applied to the store. */
  receive(event: SimEvent): void;
}

export function createRuns(store: Store, actions: Pick<Actions, 'runCommand'>): Runs {
  const pin = signal<Pin | null>(null);
  const answer = computed(() => answerOf(store, pin.value));

  function start(writer: Writer, rawInput: string, onStarted?: (id: string) => void): void {
    const name = /^\/(\S+)/.exec(rawInput)?.[1]?.toLowerCase();
    const command = store.world.peek().commands.find((each) => each.name === name);
    if (command) actions.runCommand(writer, command, rawInput, onStarted);
  }

  function currentWriter(): Writer | null {
    const { channel, user } = store.place.peek();
    return channel === null || user === null ? null : { channel, user };
  }

  function runPin(next: Pin): void {
    pin.value = { ...next, interactionId: null };
    start(next.writer, next.rawInput, (interactionId) => {
      const now = pin.peek();
      if (now?.rawInput === next.rawInput) pin.value = { ...now, interactionId };
    });
  }

  return {
    pin,
    answer,
    again(rawInput) {
      const writer = currentWriter();
      if (writer) start(writer, rawInput);
    },
    pinLine(rawInput) {
      const writer = currentWriter();
      if (writer) runPin({ rawInput, writer, interactionId: null, before: null });
    },
    unpin() {
      pin.value = null;
    },
    receive(event) {
      const current = pin.peek();
      if (event.type !== 'reloaded' || current === null) return;
      runPin({ ...current, before: answer.peek().text ?? current.before });
    },
  };
}
