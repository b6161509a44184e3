import { defineErrors, userError } from '@virgule/core/errors';

/** Every error code of `virgule/testing`. Codes never change once published. */
export const testingErrors = defineErrors({
  E_TEST_LIMIT: userError<{
    /** What did not end, such as `/roll 20`. */
    what: string;
    limit: string;
    /** The shortest sleep that its clock has yet to pass; `undefined` if it does not sleep. */
    sleeps?: string | undefined;
    /** The channel as a chat. */
    transcript: string;
  }>({
    message: ({ what, limit, transcript }) => `${what} did not end in ${limit}.\n${transcript}`,
    hint: ({ sleeps }) =>
      sleeps === undefined
        ? 'If it waits for a user or for time, act before you await it: bot.as(…).react(…), bot.clock.advance(…). If it is slow, set the option `limit`.'
        : `It sleeps on the clock of the test: call bot.clock.advance('${sleeps}') before you await it.`,
  }),
  E_TEST_STRICT: userError<{ what: string; lines: readonly string[]; transcript: string }>({
    message: ({ what, lines, transcript }) =>
      `${what} logged ${lines.length === 1 ? 'a line' : `${lines.length} lines`} that a strict bot does not accept:\n${lines.map((line) => `  ${line}`).join('\n')}\n${transcript}`,
    hint: 'Fix the cause, or start the bot without `strict`.',
  }),
  /** Thrown by bin/testing.cjs, which has a copy of these texts. */
  E_TEST_RUNNER: userError({
    message: () => 'jest cannot load virgule/testing with require().',
    hint: 'Import it in an ES module, and run NODE_OPTIONS=--experimental-vm-modules npx jest.',
  }),
  E_TEST_CLOCK: userError({
    message: () => 'The clock of this bot cannot be advanced.',
    hint: 'Omit the option `clock`: the bot then has a clock that the test advances.',
  }),
  E_TEST_RELOAD: userError<{ reason: string }>({
    message: ({ reason }) => `The change needs a new bot: ${reason}.`,
    hint: 'Close this bot and call createTestBot again.',
  }),
  E_TEST_CONTEXT: userError<{ member: string }>({
    message: ({ member }) => `The handler used \`${member}\`, which invoke() was not given.`,
    hint: ({ member }) =>
      `Pass it: invoke(command, { ${member}: … }). For the whole context, use createTestBot.`,
  }),
  E_TEST_OPTION: userError<{ command: string; key: string; known: readonly string[] }>({
    message: ({ command, key }) => `/${command} has no option "${key}".`,
    hint: ({ known }) =>
      known.length > 0 ? `It has ${known.join(', ')}.` : 'It takes no options.',
  }),
});
