import { causesOf } from '@virgule/core/errors';
import type { LoggedLine } from './activity-records.js';
import { testingErrors } from './testing-errors.js';
import { withHint } from './with-hint.js';

const NO_PORT_NOTE =
  '\n  (It called the platform, which listens on no port: pass network: true to createTestBot.)';

/** Returns a note for the message of a failed test; empty if the log lines need none. */
export const noteOn = (logged: readonly LoggedLine[]): string =>
  logged.some(({ error }) => calledNoPort(error)) ? NO_PORT_NOTE : '';

/** Returns whether an error results from a request to the address of a platform in memory, whose port is 0. */
function calledNoPort(error: unknown): boolean {
  return causesOf(error).some((each) => {
    const { code, address, port }: Readonly<Record<string, unknown>> = Object(each);
    return code === 'ECONNREFUSED' && address === '127.0.0.1' && port === undefined;
  });
}

export function refuseLogged(what: string, logged: readonly LoggedLine[], transcript: string) {
  if (logged.length === 0) return;
  const lines = logged.map(({ message }) => message);
  const cause = logged.find(({ error }) => error !== undefined)?.error;
  throw withHint(testingErrors.E_TEST_STRICT({ what, lines, transcript }, { cause }));
}
