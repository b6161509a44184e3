import type { Log } from '@virgule/core/log';
import { endpointPath, ENDPOINTS } from '@virgule/core/protocol';
import type { Accepted, Caller } from '../request/caller.js';
import { readAnswer } from './read-answer.js';
import { clientErrors } from '../errors/client-errors.js';
import type { PriorityClass } from '../request/priority.js';
import type { Answers, BotEndpointName } from './answers.js';
import type { ApiInput, PlanApiRequest } from './api-plan.js';
import { checkInput, checkOptions } from './check-input.js';
import type { CallOptions } from './rest-options.js';

/** As `CallOptions`; calls for the answer to an interaction, such as opening uploads, have its priority. */
interface ApiCallSettings extends Omit<CallOptions, 'priority'> {
  readonly priority?: PriorityClass | undefined;
}

/** Calls one endpoint of the table. */
export type ApiCall = <Name extends BotEndpointName>(
  name: Name,
  input?: ApiInput,
  options?: ApiCallSettings,
) => Promise<Answers[Name]>;

/** Calls one endpoint of the table, and leaves unread what it answers. */
export type UnreadCall = (
  name: BotEndpointName,
  input?: ApiInput,
  options?: ApiCallSettings,
) => Promise<undefined>;

/** An answer with the time that the platform's own clock showed with it. */
export interface Dated<Answer> {
  readonly answer: Answer;
  /** The `Date` header, in milliseconds since the epoch; absent when there was none. */
  readonly dateMs: number | undefined;
}

/** Calls one endpoint of the table, and knows the time of the platform. */
export type DatedCall = <Name extends BotEndpointName>(
  name: Name,
  input?: ApiInput,
  options?: ApiCallSettings,
) => Promise<Dated<Answers[Name]>>;

export interface ApiCallOptions {
  readonly plan: PlanApiRequest;
  readonly caller: Caller;
  /** Only to keep it out of errors. */
  readonly token: string;
  /** Time for a call that does not say its own, in milliseconds. */
  readonly deadlineMs: number;
  readonly log: Log;
  /** Aborted when the client closes: from then on only what has to be closed is. */
  readonly closing: AbortSignal;
}

/** Reads the answer of an endpoint. */
type ReadAnswer = <Name extends BotEndpointName>(name: Name, accepted: Accepted) => Answers[Name];

/** An odd answer is reported once for each endpoint: a line for each would be a flood. */
function createReader(log: Log): ReadAnswer {
  const reported = new Set<BotEndpointName>();
  return (name, accepted) => {
    const onOdd = (fields: readonly string[]): void => {
      if (reported.has(name)) return;
      reported.add(name);
      log.warn(
        { endpoint: name, fields: fields.slice(0, MAX_FIELDS) },
        'the platform sends fields in another form than stated; they are passed on as they come',
      );
    };
    // The table forgets which shape belongs to which name; `Answers` says it again, and a test
    // reads one body of each shape through every method.
    return readAnswer(ENDPOINTS[name], accepted, onOdd) as Answers[typeof name];
  };
}

/** How many odd fields are named in a log line. */
const MAX_FIELDS = 10;

export function createApiCall(apiOptions: ApiCallOptions): ApiCall {
  const read = createReader(apiOptions.log);
  return async (name, input = {}, options = {}) =>
    read(name, await send(name, input, options, apiOptions));
}

export function createUnreadCall(apiOptions: ApiCallOptions): UnreadCall {
  return async (name, input = {}, options = {}) => {
    await send(name, input, options, apiOptions);
    return undefined;
  };
}

export function createDatedCall(apiOptions: ApiCallOptions): DatedCall {
  const read = createReader(apiOptions.log);
  return async (name, input = {}, options = {}) => {
    const accepted = await send(name, input, options, apiOptions);
    const dateMs = Date.parse(accepted.call.serverDate ?? '');
    return {
      answer: read(name, accepted),
      dateMs: Number.isNaN(dateMs) ? undefined : dateMs,
    };
  };
}

function send(
  name: BotEndpointName,
  input: ApiInput,
  settings: ApiCallSettings,
  apiOptions: ApiCallOptions,
): Promise<Accepted> {
  const endpoint = ENDPOINTS[name];
  checkInput(endpoint, input, apiOptions.token);
  checkOptions(name, settings);
  const { signal, deadlineMs, priority, onRetry } = settings;
  if (apiOptions.closing.aborted && name !== 'voice.closeIngress') {
    const route = `${endpoint.method} ${endpoint.path}`;
    throw clientErrors.E_SHUTTING_DOWN({ endpoint: name, route, attempts: 0, elapsedMs: 0 });
  }
  const forMs = deadlineMs ?? apiOptions.deadlineMs;
  return apiOptions.caller.send(
    apiOptions.plan(endpoint, endpointPath(endpoint, input.parameters), input, forMs),
    {
      signal,
      deadlineMs: forMs,
      priority,
      onRetry,
    },
  );
}
