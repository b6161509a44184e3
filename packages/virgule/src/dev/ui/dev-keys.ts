/** A key of `virgule dev`, and what it does in one word. */
interface DevKey {
  readonly key: string;
  readonly about: string;
  readonly action: DevAction;
  /** Only on a real platform (`true`), or only on a simulator (`false`). @defaultValue on both */
  readonly live?: boolean;
}

export type DevAction = 'help' | 'restart' | 'open' | 'deploy' | 'clear' | 'quit';

export const KEYS: readonly DevKey[] = [
  { key: 'h', about: 'help', action: 'help' },
  { key: 'r', about: 'restart', action: 'restart' },
  { key: 'o', about: 'open', action: 'open', live: false },
  { key: 'd', about: 'deploy', action: 'deploy', live: true },
  { key: 'c', about: 'clear', action: 'clear' },
  { key: 'q', about: 'quit', action: 'quit' },
];

const HELP: Readonly<Record<DevAction, string>> = {
  help: 'shows this list',
  restart: 'restarts the process of the bot; the connection is kept',
  open: 'opens the chat page in the browser',
  deploy: 'shows the plan of a deploy, and asks before anything is registered',
  clear: 'clears the terminal',
  quit: 'ends the bot, as Ctrl+C does',
};

/** Returns what a key means; `undefined` for all others, Enter among them. Caps Lock makes no difference. */
export function actionOf(key: string, live: boolean): DevAction | undefined {
  return KEYS.find((known) => known.key === key.toLowerCase() && known.live !== !live)?.action;
}

/** Returns every key with what it does, a line each. */
export function keysHelp(live: boolean): string {
  const lines = KEYS.filter((known) => known.live !== !live).map(
    ({ key, action }) => `  ${key}  ${HELP[action]}\n`,
  );
  return `\n${lines.join('')}\n`;
}
