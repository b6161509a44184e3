import { defineErrors, userError, userErrorByKind } from '@virgule/core/errors';

/** Every error code of `virgule/testing`. Codes never change once published. */
export const testingErrors = defineErrors({
  // Group: Tests
  /**
   * A line of a conversation cannot be played.
   *
   * A conversation is a text file, such as `conversations/remind.txt`, with one act on each line: `#general`, `ada:
   * /remind 2h tea`, `+2h`, `grace 👍` or `restart`. `virgule run FILE` and `bot.play()` play it.
   *
   * @example
   * Error [E_CONVERSATION] conversations/remind.txt:3 cannot be played: "ada says hi" is not a line of a conversation.
   * Try:  Write a line such as "ada: hi", "ada 👍", "+2h" or "#general".
   *
   * @fix
   * - Correct the line. Lines that begin with two spaces continue the text above.
   * - Correct the path if the file cannot be read. It is relative to the folder of the bot.
   */
  E_CONVERSATION: userError<{
    file: string;
    /** `undefined` if the file cannot be read. */
    line?: number | undefined;
    reason: string;
    hint?: string | undefined;
  }>(({ file, line, reason, hint }) => [
    `${file}${line === undefined ? '' : `:${line}`} cannot be played: ${reason}`,
    hint ?? 'Write a line such as "ada: hi", "ada 👍", "+2h" or "#general".',
  ]),
  /**
   * A handler or a task of a test did not end in time.
   *
   * `bot.run`, `say`, `react` and `emit` wait until the handlers have ended, `bot.idle` until each handler only waits
   * for a user or for time, and `bot.clock.advance` until the runs of tasks have ended: for at most 3 seconds of real
   * time. The message shows the channel as a chat.
   *
   * @example
   * Error [E_TEST_LIMIT] /ask did not end in 3s.
   * #general
   *   ada used /ask
   *   demo-bot: Sure?
   * Try:  The handler sleeps on the clock of the test: call bot.clock.advance('30s') before you await the result.
   *
   * @fix
   * - If the handler sleeps or waits, keep the promise, advance the clock or answer as a user, and then await it.
   *   See [Testing](../guide/testing.md#time).
   * - If the handler is slow, set the option `limit` of `createTestBot`, such as `limit: '20s'`.
   */
  E_TEST_LIMIT: userError<{
    /** Action that did not end, such as `/roll 20`. */
    what: string;
    limit: string;
    /** Remaining time of the handler's shortest sleep; `undefined` if the handler does not sleep. */
    sleeps?: string | undefined;
    /** Channel as a chat. */
    transcript: string;
  }>(({ what, limit, transcript, sleeps }) => [
    `${what} did not end in ${limit}.\n${transcript}`,
    sleeps === undefined
      ? 'If the handler waits for a user, for time or for the end of a burst, act before you await the result: bot.as(…).react(…), bot.clock.advance(…). If the handler is slow, set the option `limit`.'
      : `The handler sleeps on the clock of the test: call bot.clock.advance('${sleeps}') before you await the result.`,
  ]),
  /**
   * A bot of a test logged a warning or an error.
   *
   * An action of a test fails when the bot logs a warning or an error because of it, and `bot.close()` fails for lines
   * that belong to no action.
   *
   * @example
   * Error [E_TEST_STRICT] "hi" logged a line that the test does not expect:
   *   events/message-create.ts failed: broken
   * #general
   *   ada: hi
   * Try:  Fix the cause, or, if the failure is intended, call createTestBot({ strict: false }).
   *
   * @fix
   * - Fix the cause of the logged line. `error.cause` is the error of the handler.
   * - If the failure is intended, such as a fault or a handler that throws, start the bot of this test with
   *   `createTestBot({ strict: false })`, and check `error` and `result`.
   */
  E_TEST_STRICT: userError<{ what: string; lines: readonly string[]; transcript: string }>(
    ({ what, lines, transcript }) => [
      `${what} logged ${lines.length === 1 ? 'a line' : `${lines.length} lines`} that the test does not expect:\n${lines.map((line) => `  ${line}`).join('\n')}\n${transcript}`,
      'Fix the cause, or, if the failure is intended, call createTestBot({ strict: false }).',
    ],
  ),
  /** Thrown by bin/testing.cjs, which has a copy of these texts. */
  /**
   * jest cannot load virgule/testing with require().
   *
   * Virgule consists of ES modules. Before Node.js 24.9, jest loads them only with `--experimental-vm-modules`, and
   * only with `import` in a test that is an ES module itself. The `require()` of Node.js has no such limit.
   *
   * @example
   * Error [E_TEST_RUNNER] jest cannot load virgule/testing with require().
   * Try:  Import virgule/testing in an ES module, and run NODE_OPTIONS=--experimental-vm-modules npx jest.
   *
   * @fix
   * - Write `import { createTestBot } from 'virgule/testing'` in a package with `"type": "module"` or in a file that
   *   ends in `.mjs`, and run jest as the hint says. See [Testing](../guide/testing.md#jest).
   * - If Babel or ts-jest compiles your tests to CommonJS, turn that off for them: `transform: {}` in the
   *   configuration of jest.
   * - Or use vitest or `node --test`, which need no option.
   */
  E_TEST_RUNNER: userError(() => [
    'jest cannot load virgule/testing with require().',
    'Import virgule/testing in an ES module, and run NODE_OPTIONS=--experimental-vm-modules npx jest.',
  ]),
  /**
   * A test calls something that its bot cannot do.
   *
   * A test advances a clock that it does not control. `bot.clock.advance` needs the clock that `createTestBot` creates,
   * or one of `createFakeClock`. This bot was given another one, such as `systemClock`.
   *
   * A test reloads a file that only the start of a bot reads. `bot.reload(file)` replaces modules of a running bot,
   * as `virgule dev` does when a file is saved. The services, the configuration, and what they import are read once:
   * for a change of these, `virgule dev` starts a new process.
   *
   * A test runs a command with an option that it does not have. `bot.run('roll', { … })` takes the keys of the
   * command's `options`. The hint lists them.
   *
   * A test replays a failure without a record. `bot.replay()` needs the option `failed` of `createTestBot`, with a file that
   * `virgule failed test` wrote.
   *
   * The record of a failure cannot be read, for the reason in the message: the file does not exist, may not be read, is not JSON,
   * was written by another version of Virgule, or lacks a value.
   *
   * @example
   * Error [E_TEST_CALL] The clock of this bot cannot be advanced.
   * Try:  Omit the option `clock`: the bot then has a clock that the test advances.
   *
   * Error [E_TEST_CALL] The change needs a new bot: services.ts runs only at startup.
   * Try:  Close this bot and call createTestBot again.
   *
   * Error [E_TEST_CALL] /roll has no option "side".
   * Try:  The command has the options sides, count.
   *
   * Error [E_TEST_CALL] The failure cannot be replayed: createTestBot got no option failed.
   * Try:  Call createTestBot({ failed: new URL('ID.json', import.meta.url) }), with a file of `virgule failed test ID`.
   *
   * Error [E_TEST_CALL] 12.json cannot be replayed: Unexpected end of JSON input.
   * Try:  Pass the output of `failed test ID`, from the same version of Virgule, in a file that you may read.
   *
   * @fix
   * - Omit the option `clock`, or wait in real time.
   * - Close the bot, and create another one with `createTestBot`.
   * - Correct the key.
   * - Print or write the record again. See [Failed work](../guide/failed.md#on-a-server).
   */
  E_TEST_CALL: userErrorByKind<
    | { kind: 'clock' }
    | { kind: 'reload'; reason: string }
    | { kind: 'replay' }
    | { kind: 'promise' }
    | { kind: 'record'; file: string; reason: string }
    | { kind: 'option'; command: string; key: string; known: readonly string[] }
  >({
    clock: () => [
      'The clock of this bot cannot be advanced.',
      'Omit the option `clock`: the bot then has a clock that the test advances.',
    ],
    reload: ({ reason }) => [
      `The change needs a new bot: ${reason}.`,
      'Close this bot and call createTestBot again.',
    ],
    promise: () => [
      'A matcher got a promise.',
      "Await it: expect(await bot.run('/hello')).toHaveReplied().",
    ],
    replay: () => [
      'The failure cannot be replayed: createTestBot got no option failed.',
      "Call createTestBot({ failed: new URL('ID.json', import.meta.url) }), with a file of `virgule failed test ID`.",
    ],
    record: ({ file, reason }) => [
      `${file} cannot be replayed: ${reason}.`,
      'Pass the output of `failed test ID`, from the same version of Virgule, in a file that you may read.',
    ],
    option: ({ command, key, known }) => [
      `/${command} has no option "${key}".`,
      known.length > 0
        ? `The command has the options ${known.join(', ')}.`
        : 'The command takes no options.',
    ],
  }),
});
