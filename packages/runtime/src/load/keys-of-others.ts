/** What other frameworks call the function of a command. */
const RUN_OF_OTHERS = ['execute', 'messageRun', 'chatInputRun', 'handler'];

/** Returns whether a key is that of the function of a command in another framework. */
export const isRunOfOther = (key: string): boolean => RUN_OF_OTHERS.includes(key);

/** What to write here instead of a key or an export of another framework. */
const ADVICE: Readonly<Record<string, string>> = {
  name: 'The name of the file is used instead: remove it.',
  data: 'Use description and options instead.',
  subcommands: 'Write each as a file in a folder: commands/tag/add.ts is /tag-add.',
  preconditions: 'Check them in the _middleware.ts of a folder.',
  cooldownDelay: "Set cooldown: '10s' instead.",
  components:
    'The platform has no buttons or menus: use confirm() and paginate(), which use reactions.',
  ephemeral: 'The platform has no answers that only one user sees: remove it.',
};

/** Returns what to do about a key or an export that other frameworks have. */
export function keyOfOther(key: string, what: 'key' | 'export'): string | undefined {
  if (isRunOfOther(key))
    return what === 'key'
      ? 'The function is called run here.'
      : 'Make the function the default export.';
  return Object.hasOwn(ADVICE, key) ? ADVICE[key] : undefined;
}
