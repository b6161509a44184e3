import type { Child, ChildOptions, ChildStart } from '../src/dev/server/child.js';
import type { CommandFrame } from '../src/dev/server/frames.js';
import type { SimProblem } from '@virgule/core/simulator-api';
import type { FromChild, ReloadOutcome, ToChild } from '../src/dev/ipc.js';

const LOADED: ChildStart = { type: 'loaded', commands: 2, events: 1, tasks: 0, problems: [] };

/** Answer to a reload that changed nothing. */
const NOTHING = { isNew: false, evaluated: 0, commands: null };

/** A child without a process: the test says what it does. */
export function createFakeChild(options: ChildOptions) {
  let begin: (start: ChildStart) => void = () => {};
  let end: () => void = () => {};
  let problems: readonly SimProblem[] = [];
  let answer: (result: ReloadOutcome | null) => void = () => {};
  const fake = {
    options,
    received: [] as ToChild[],
    reloads: [] as (readonly string[])[],
    isEnded: false,
    isStopped: false,
    /** Takes no messages any more, as in the moment before its end is known. */
    isDeaf: false,
    undelivered: 0,
    /** Begins to handle what it gets; one that does not has it in its pipe when it dies. */
    takesEvents: true,
    /** Number of reloads without files, which register the commands. */
    registrations: 0,
    start(start: ChildStart = LOADED) {
      problems = start.type === 'loaded' ? start.problems : [];
      begin(start);
    },
    /** Says something to the dev server. */
    say: (message: FromChild) => options.onMessage(message),
    /** Answers a reload. Problems that are not given are the same as before. */
    answer(result: Partial<ReloadOutcome> | null) {
      const outcome = result && { ...NOTHING, problems, ...result };
      if (outcome) ({ problems } = outcome);
      answer(outcome);
    },
    end() {
      fake.isEnded = true;
      begin({ type: 'lost', how: 'stopped' });
      answer(null);
      end();
    },
    /** Ends without a stop message. */
    lose(how = 'exit code 1') {
      fake.end();
      options.onLost(how);
    },
    /** Payloads of the received events. */
    events: () => fake.received.flatMap((said) => (said.type === 'event' ? [said.event.d] : [])),
    /** Ends since it sent no heartbeat. */
    hang() {
      fake.child.wasHung = true;
      fake.lose('no response for 10 s');
    },
    child: {
      pid: 1,
      wasHung: false as boolean,
      begun: new Set<CommandFrame>(),
      get problems() {
        return problems;
      },
      giveUp(how: string) {
        fake.isEnded = true;
        begin({ type: 'lost', how });
        end();
      },
      started: new Promise<ChildStart>((resolve) => (begin = resolve)),
      ended: new Promise<void>((resolve) => (end = resolve)),
      send(message, onUndelivered = () => {}) {
        if (fake.isDeaf || fake.isEnded) {
          fake.undelivered += 1;
          onUndelivered();
        } else {
          fake.received.push(message);
          if (message.type === 'event' && fake.takesEvents)
            options.onMessage({ type: 'handling', number: message.number, what: undefined });
        }
      },
      async reload(files) {
        if (files.length === 0) {
          fake.registrations += 1;
          return { ...NOTHING, problems };
        }
        fake.reloads.push(files);
        return new Promise((resolve) => (answer = resolve));
      },
      giveUpReload: () => fake.answer({ restart: 'a reload did not finish' }),
      ask: async (question) => ({ value: question }),
      async stop() {
        fake.isStopped = true;
        fake.end();
      },
    } satisfies Child,
  };
  return fake;
}
export type FakeChild = ReturnType<typeof createFakeChild>;
