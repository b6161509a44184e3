import { defineErrors } from '@virgule/core/errors';

/** Every error code of the command line. Codes never change once published. */
export const cliErrors = defineErrors({
  E_UNKNOWN_COMMAND: {
    kind: 'user',
    message: ({ saw }: { saw: string; meant?: string | undefined }) =>
      `There is no command "${saw}".`,
    hint: ({ meant }: { meant?: string | undefined }) =>
      meant ? `Did you mean \`virgule ${meant}\`?` : 'Run `virgule --help` to see them all.',
  },
  E_UNKNOWN_FLAG: {
    kind: 'user',
    message: ({ flag, command }: { flag: string; command: string; meant?: string | undefined }) =>
      `\`virgule ${command}\` has no ${flag}.`,
    hint: ({ meant, command }: { meant?: string | undefined; command: string }) =>
      meant ? `Did you mean ${meant}?` : `Run \`virgule ${command} --help\` to see what it takes.`,
  },
  E_FLAG_VALUE: {
    kind: 'user',
    message: ({ flag, want, saw }: { flag: string; want: string; saw: string }) =>
      `${flag} takes ${want}, saw "${saw}".`,
    hint: ({ flag, want }: { flag: string; want: string }) => `Write ${flag} followed by ${want}.`,
  },
  E_ARGUMENTS: {
    kind: 'user',
    message: ({ command, want, saw }: { command: string; want: string; saw: readonly string[] }) =>
      saw.length === 0
        ? `\`virgule ${command}\` needs ${want}.`
        : `\`virgule ${command}\` takes ${want}, saw ${saw.join(' ')}.`,
    hint: ({ command }: { command: string }) => `Run \`virgule ${command} --help\` for an example.`,
  },
  E_COMMAND_UNKNOWN: {
    kind: 'user',
    message: ({ name }: { name: string; known: readonly string[]; meant?: string | undefined }) =>
      `This bot has no command /${name}.`,
    hint: ({ known, meant }: { known: readonly string[]; meant?: string | undefined }) =>
      meant
        ? `Did you mean /${meant}?`
        : `It has ${known.map((other) => `/${other}`).join(', ') || 'none'}.`,
  },
  E_CONSENT_NEEDED: {
    kind: 'user',
    message: ({ deletions }: { deletions: number; command: string }) =>
      deletions > 0
        ? `The plan deletes ${deletions} ${deletions === 1 ? 'command' : 'commands'}, and nobody is here to agree.`
        : 'The plan was not applied: nobody is here to agree.',
    hint: ({ command }: { command: string }) => `Run \`${command}\`.`,
  },
  E_DEPLOY_REFUSED: {
    kind: 'user',
    message: () => 'The plan was not applied. Nothing was changed.',
    hint: () => 'Run `virgule deploy` again to agree to it.',
  },
  E_BUILD_MISSING: {
    kind: 'user',
    message: ({ file }: { file: string }) => `There is no built bot: ${file} does not exist.`,
    hint: () => 'Run `virgule build` first.',
  },
  E_BUILD_FAILED: {
    kind: 'user',
    message: ({ reason }: { reason: string }) => `The bot could not be built: ${reason}`,
    hint: () => 'Mend the file and build again.',
  },
  E_CHILD_LOST: {
    kind: 'user',
    message: ({ how }: { how: string }) => `The bot's process ended while it started (${how}).`,
    hint: () => 'The lines above say why.',
  },
  E_NO_ANSWER: {
    kind: 'user',
    message: ({ rawInput }: { rawInput: string }) => `${rawInput} was not answered.`,
    hint: () => 'See the lines above for the cause.',
  },
});
