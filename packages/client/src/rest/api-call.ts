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

/** What an endpoint answered. */
export interface Answered<Answer> {
  /** The time of the platform's own clock, its `Date` header, in milliseconds since the epoch. */
  readonly dateMs: number | undefined;
  /** Reads the body. It takes about a tenth of the time of a command, so only where the answer is used. */
  read(): Answer;
}

/** Sends a request to one endpoint of the table. */
export type ApiRequest = <Name extends BotEndpointName>(
  name: Name,
  input?: ApiInput,
  options?: ApiCallSettings,
) => Promise<Answered<Answers[Name]>>;

/** The same, and reads its answer. */
export type ApiCall = <Name extends BotEndpointName>(
  name: Name,
  input?: ApiInput,
  options?: ApiCallSettings,
) => Promise<Answers[Name]>;

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

export function createApi(apiOptions: ApiCallOptions): {
  readonly request: ApiRequest;
  readonly call: ApiCall;
} {
  const read = createReader(apiOptions.log);
  return {
    request: async (name, input = {}, options = {}) =>
      new ReadableAnswer(name, await send(name, input, options, apiOptions), read),
    call: async (name, input = {}, options = {}) =>
      read(name, await send(name, input, options, apiOptions)),
  };
}

// A class: closures for each answer to a command would cost more.
class ReadableAnswer<Name extends BotEndpointName> implements Answered<Answers[Name]> {
  readonly #name: Name;
  readonly #accepted: Accepted;
  readonly #read: ReadAnswer;

  constructor(name: Name, accepted: Accepted, read: ReadAnswer) {
    this.#name = name;
    this.#accepted = accepted;
    this.#read = read;
  }

  get dateMs(): number | undefined {
    const dateMs = Date.parse(this.#accepted.call.serverDate ?? '');
    return Number.isNaN(dateMs) ? undefined : dateMs;
  }

  read(): Answers[Name] {
    return this.#read(this.#name, this.#accepted);
  }
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
