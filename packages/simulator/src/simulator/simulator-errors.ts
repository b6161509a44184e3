import { defineErrors } from '@virgule/core/errors';

const list = (names: readonly string[]): string => (names.length === 0 ? 'none' : names.join(', '));

/** The error codes of this package. */
export const simulatorErrors = defineErrors({
  E_PORT_BUSY: {
    kind: 'user',
    message: ({ port }: { readonly port: number }) => `Port ${port} is already in use.`,
    hint: () => 'Stop the program that uses it, or choose another port.',
  },
  E_SIM_LISTEN: {
    kind: 'user',
    message: ({ host, port }: { readonly host: string; readonly port: number }) =>
      `The simulator cannot listen on ${host}, port ${port}.`,
    hint: () => 'Use a host of this machine and a port from 0 to 65535 that you may open.',
  },
  E_SIM_COMMAND_UNKNOWN: {
    kind: 'user',
    message: ({ rawInput }: { readonly rawInput: string; readonly known: readonly string[] }) =>
      `No registered command answers to ${JSON.stringify(rawInput)}.`,
    hint: ({ known }) => `Registered: ${list(known)}.`,
  },
  E_SIM_CHANNEL_UNKNOWN: {
    kind: 'user',
    message: ({ channel }: { readonly channel: string; readonly known: readonly string[] }) =>
      `The simulator has no channel ${JSON.stringify(channel)}.`,
    hint: ({ known }) => `There are: ${list(known)}.`,
  },
  E_SIM_USER_UNKNOWN: {
    kind: 'user',
    message: ({ user }: { readonly user: string; readonly known: readonly string[] }) =>
      `The simulator has no user ${JSON.stringify(user)}.`,
    hint: ({ known }) => `There are: ${list(known)}.`,
  },
  E_SIM_REFUSED: {
    kind: 'user',
    message: ({ reason }: { readonly reason: string; readonly code: string }) =>
      `The simulator refused: ${reason}`,
    hint: ({ code }) => `The platform would answer with the code ${code}.`,
  },
});
