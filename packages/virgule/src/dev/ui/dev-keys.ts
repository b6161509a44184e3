export type DevAction = 'help' | 'restart' | 'open' | 'deploy' | 'clear' | 'quit';

/** A key of `virgule dev`. */
interface DevKey {
  readonly key: string;
  readonly action: DevAction;
  /** What it does, for people. */
  readonly help: string;
  /** Only on a real platform (`true`), or only on a simulator (`false`). @defaultValue on both */
  readonly live?: boolean;
}

const KEYS: readonly DevKey[] = [
  { key: 'h', action: 'help', help: 'shows this list' },
  {
    key: 'r',
    action: 'restart',
    help: 'restarts the process of the bot; the connection is kept',
  },
  { key: 'o', action: 'open', help: 'opens the chat page in the browser', live: false },
  {
    key: 'd',
    action: 'deploy',
    help: 'shows the plan of a deploy, and asks before anything is registered',
    live: true,
  },
  { key: 'c', action: 'clear', help: 'clears the terminal' },
  { key: 'q', action: 'quit', help: 'ends the bot, as Ctrl+C does' },
];

/** Returns the keys on a real platform, or on a simulator. */
export const keysOn = (live: boolean): readonly DevKey[] =>
  KEYS.filter((known) => known.live !== !live);
