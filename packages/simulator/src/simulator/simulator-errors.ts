import { defineErrors, userError } from '@virgule/core/errors';

/** The error codes of this package. */
export const simulatorErrors = defineErrors({
  E_PORT_BUSY: userError<{ readonly port: number }>({
    message: ({ port }) => `Port ${port} is already in use.`,
    hint: 'Stop the program that uses it, or choose another port.',
  }),
  E_SIM_LISTEN: userError<{ readonly host: string; readonly port: number }>({
    message: ({ host, port }) => `The simulator cannot listen on ${host}, port ${port}.`,
    hint: 'Use a host of this machine and a port from 0 to 65535 that you are allowed to open.',
  }),
  E_SIM_COMMAND_UNKNOWN: userError<{
    readonly rawInput: string;
    readonly known: readonly string[];
  }>({
    message: ({ rawInput }) => `No registered command matches ${JSON.stringify(rawInput)}.`,
    hint: ({ known }) =>
      known.length === 0
        ? 'Register a command first.'
        : `Run a registered command: ${known.join(', ')}.`,
  }),
  E_SIM_CHANNEL_UNKNOWN: userError<{ readonly channel: string; readonly known: readonly string[] }>(
    {
      message: ({ channel }) => `The simulator has no channel ${JSON.stringify(channel)}.`,
      hint: ({ known }) => `Use a channel of the simulator: ${known.join(', ')}.`,
    },
  ),
  E_SIM_USER_UNKNOWN: userError<{ readonly user: string; readonly known: readonly string[] }>({
    message: ({ user }) => `The simulator has no user ${JSON.stringify(user)}.`,
    hint: ({ known }) => `Use a user of the simulator: ${known.join(', ')}.`,
  }),
  E_SIM_FAULTS: userError<{ readonly field: string; readonly reason: string }>({
    message: ({ field, reason }) => `The faults are invalid: ${field} ${reason}.`,
    hint: 'Write { "rules": [{ "name", "on", "do" }] } as the page on faults shows.',
  }),
  E_SIM_SIZE: userError<{
    readonly name: string;
    readonly value: number;
    readonly min: number;
    readonly max: number;
  }>({
    message: ({ name, value, min, max }) =>
      `The number of ${name} must be an integer from ${min} to ${max}, saw ${value}.`,
    hint: ({ name, min, max }) => `Set ${name} to a number from ${min} to ${max}, or omit it.`,
  }),
  E_SIM_REFUSED: userError<{ readonly reason: string; readonly code: string }>({
    message: ({ reason }) => `The simulator refused the request: ${reason}`,
    hint: ({ code }) => `Change the request: the platform would reject it with ${code}.`,
  }),
});
