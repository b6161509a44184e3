import { defineErrors, userError, userErrorByKind } from '@virgule/core/errors';

/** The error codes of this package. */
export const simulatorErrors = defineErrors({
  // Group: Simulator
  /**
   * The port is in use.
   *
   * Another program uses this port, possibly a `virgule dev` in another terminal. Without `--port`, Virgule uses the
   * first free port from 7300 on.
   *
   * @example
   * Error [E_PORT_BUSY] Port 7300 is already in use.
   * Try:  Stop the program that uses it, or choose another port.
   *
   * @fix
   * - Stop the other program, or choose another port.
   */
  E_PORT_BUSY: userError<{ readonly port: number }>(({ port }) => [
    `Port ${port} is already in use.`,
    'Stop the program that uses it, or choose another port.',
  ]),
  /**
   * The simulator cannot listen on this address.
   *
   * The host is not an address of this machine, or the process lacks the permission to use the port.
   *
   * @example
   * Error [E_SIM_LISTEN] The simulator cannot listen on 192.0.2.1, port 80.
   * Try:  Use a host of this machine and a port from 0 to 65535 that you are allowed to open.
   *
   * @fix
   * - Omit the host: the simulator is meant for this machine only.
   * - Choose a port from 1024 to 65535, or 0 for any free port.
   */
  E_SIM_LISTEN: userError<{ readonly host: string; readonly port: number }>(({ host, port }) => [
    `The simulator cannot listen on ${host}, port ${port}.`,
    'Use a host of this machine and a port from 0 to 65535 that you are allowed to open.',
  ]),
  /**
   * A test names a command, a channel or a user that the simulator does not have.
   *
   * A test runs a command that is not registered. A test ran a line, but the bot has not registered a command of
   * that name.
   *
   * A test names a channel that the simulator does not have. Refer to a channel by its name or its id. The hint
   * lists the available channels.
   *
   * A test names a user that the simulator does not have. Refer to a user by username or id. The hint lists the
   * available users.
   *
   * @example
   * Error [E_SIM_UNKNOWN] No registered command matches "/rol 20".
   * Try:  Run a registered command: /hello, /roll. Commands that run as messages, such as !daily, are written with `say`.
   *
   * Error [E_SIM_UNKNOWN] The simulator has no channel "random".
   * Try:  Use a channel of the simulator: general, bot-spam.
   *
   * Error [E_SIM_UNKNOWN] The simulator has no user "bob".
   * Try:  Use a user of the simulator: ada, grace.
   *
   * @fix
   * - Correct the name in the line.
   * - Check that the command's file is in `commands/` and that its name does not start with `_`.
   * - Correct the name, or omit it to use the first text channel.
   * - Correct the name, or omit it to act as the owner of the server.
   */
  E_SIM_UNKNOWN: userErrorByKind<
    | { kind: 'command'; rawInput: string; known: readonly string[]; meant?: string | undefined }
    | { kind: 'place'; place: 'channel' | 'user'; name: string; known: readonly string[] }
  >({
    command: ({ rawInput, known, meant }) => {
      const first =
        known.length === 0
          ? 'Register a command first.'
          : `Run a registered command: ${known.join(', ')}.`;
      return [
        `No registered command matches ${JSON.stringify(rawInput)}.`,
        meant === undefined
          ? `${first} Commands that run as messages, such as !daily, are written with \`say\`.`
          : `Did you mean ${meant}?`,
      ];
    },
    place: ({ place, name, known }) => [
      `The simulator has no ${place} ${JSON.stringify(name)}.`,
      `Use a ${place} of the simulator: ${known.join(', ')}.`,
    ],
  }),
  /**
   * The faults for the simulator cannot be read, or one of them is invalid.
   *
   * The faults for the simulator have an invalid field. A file of `--faults`, a test or the chat page
   * set invalid [faults](../reference/faults.md).
   *
   * The file of `--faults` does not exist or is not JSON. `virgule dev`, `virgule simulator` and `virgule fuzz`
   * read [faults](../reference/faults.md) from a JSON file.
   *
   * @example
   * Error [E_SIM_FAULTS] The faults are invalid: rules[0].on must be the name or number of an endpoint, "upload" or "*".
   * Try:  Write { "rules": [{ "name", "on", "do" }] } as the page on faults shows.
   *
   * Error [E_SIM_FAULTS] The file of faults faults.json cannot be read: ENOENT: no such file or directory, open '/bot/faults.json'
   * Try:  Write a JSON file with { "rules": […] }.
   *
   * @fix
   * - Correct the field that the message names.
   * - Check the path, which is relative to the current folder.
   * - Correct the JSON at the place that the message names.
   */
  E_SIM_FAULTS: userErrorByKind<
    | { kind: 'rule'; readonly field: string; readonly reason: string }
    | { kind: 'file'; readonly file: string; readonly reason: string }
  >({
    rule: ({ field, reason }) => [
      `The faults are invalid: ${field} ${reason}.`,
      'Write { "rules": [{ "name", "on", "do" }] } as the page on faults shows.',
    ],
    file: ({ file, reason }) => [
      `The file of faults ${file} cannot be read: ${reason}`,
      'Write a JSON file with { "rules": […] }.',
    ],
  }),
  /**
   * A test requested something that the platform would reject.
   *
   * The simulator applies the rules of the platform to everything that a test does as a user.
   *
   * @example
   * Error [E_SIM_REFUSED] The simulator refused the request: Only the author of a message may do this.
   * Try:  Change the request: the platform would reject it with bot_forbidden.
   *
   * @fix
   * - Correct the value that the message names.
   */
  E_SIM_REFUSED: userError<{ readonly reason: string; readonly code: string }>(
    ({ reason, code }) => [
      `The simulator refused the request: ${reason}`,
      `Change the request: the platform would reject it with ${code}.`,
    ],
  ),
});
