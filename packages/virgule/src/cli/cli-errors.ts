import { defineErrors, userError } from '@virgule/core/errors';

/** Every error code of the command line. Codes never change once published. */
export const cliErrors = defineErrors({
  E_UNKNOWN_COMMAND: userError<{ saw: string; meant?: string | undefined }>({
    message: ({ saw }) => `There is no command "${saw}".`,
    hint: ({ meant }) =>
      meant ? `Did you mean \`virgule ${meant}\`?` : 'Run `virgule --help` to see them all.',
  }),
  E_UNKNOWN_FLAG: userError<{ flag: string; command: string; meant?: string | undefined }>({
    message: ({ flag, command }) => `\`virgule ${command}\` has no ${flag}.`,
    hint: ({ meant, command }) =>
      meant ? `Did you mean ${meant}?` : `Run \`virgule ${command} --help\` to see what it takes.`,
  }),
  E_FLAG_VALUE: userError<{ flag: string; want: string; saw: string }>({
    message: ({ flag, want, saw }) => `${flag} takes ${want}, saw "${saw}".`,
    hint: ({ flag, want }) => `Write ${flag} followed by ${want}.`,
  }),
  E_ARGUMENTS: userError<{ command: string; want: string; saw: readonly string[] }>({
    message: ({ command, want, saw }) =>
      saw.length === 0
        ? `\`virgule ${command}\` needs ${want}.`
        : `\`virgule ${command}\` takes ${want}, saw ${saw.join(' ')}.`,
    hint: ({ command }) => `Run \`virgule ${command} --help\` for an example.`,
  }),
  E_COMMAND_UNKNOWN: userError<{
    name: string;
    known: readonly string[];
    meant?: string | undefined;
  }>({
    message: ({ name }) => `This bot has no command /${name}.`,
    hint: ({ known, meant }) =>
      meant
        ? `Did you mean /${meant}?`
        : `It has ${known.map((other) => `/${other}`).join(', ') || 'none'}.`,
  }),
  E_CONSENT_NEEDED: userError<{ deletions: number; command: string }>({
    message: ({ deletions }) =>
      deletions > 0
        ? `The plan deletes ${deletions} ${deletions === 1 ? 'command' : 'commands'}, and nobody is here to agree.`
        : 'The plan was not applied: nobody is here to agree.',
    hint: ({ command }) => `Run \`${command}\`.`,
  }),
  E_DEPLOY_REFUSED: userError<{
    /** Why it could not be kept what is registered now; nothing when the plan was not agreed to. */
    unwritable?: string | undefined;
  }>({
    message: ({ unwritable }) =>
      unwritable === undefined
        ? 'The plan was not applied. Nothing was changed.'
        : `What is registered now could not be kept for a rollback (${unwritable}). Nothing was changed.`,
    hint: ({ unwritable }) =>
      unwritable === undefined
        ? 'Run `virgule deploy` again to agree to it.'
        : 'Make that place writable and run `virgule deploy` again.',
  }),
  E_BUILD_MISSING: userError<{ file: string }>({
    message: ({ file }) => `There is no built bot: ${file} does not exist.`,
    hint: () => 'Run `virgule build` first.',
  }),
  E_BUILD_FAILED: userError<{ reason: string; isDisk?: boolean | undefined }>({
    message: ({ reason }) => `The bot could not be built: ${reason}`,
    hint: ({ isDisk }) =>
      isDisk ? 'Make that place writable and build again.' : 'Mend the file and build again.',
  }),
  E_CHILD_LOST: userError<{ how: string }>({
    message: ({ how }) => `The bot's process ended while it started (${how}).`,
    hint: () => 'The lines above say why.',
  }),
  E_NO_ANSWER: userError<{ rawInput: string }>({
    message: ({ rawInput }) => `${rawInput} was not answered.`,
    hint: () => 'See the lines above for the cause.',
  }),
});
