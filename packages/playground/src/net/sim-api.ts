import type {
  SimAudio,
  SimHandlerFile,
  SimDeadline,
  SimFaultState,
  SimMessage,
  SimMessagePage,
  SimPast,
  SimSnapshot,
  SimStoredPage,
  SimTask,
  SimTraceDetail,
  SimTracePage,
  SimUpload,
  SimUser,
} from '@virgule/core/simulator-api';
import { orUndefined } from '@virgule/core/objects';
import { toRequestError, unreachableError } from './request-error.js';

/** Results of the actions of the control API that the page needs. */
export interface Results {
  readonly messages: SimMessagePage;
  readonly state: { readonly past: SimPast };
  readonly world: SimSnapshot;
  readonly trace: SimTracePage;
  readonly detail: SimTraceDetail;
  readonly audio: { readonly audio: SimAudio | null };
  /** The file of a command is absent without a process of the bot. */
  readonly commands: {
    readonly commands: readonly Partial<SimHandlerFile>[];
    readonly messages: readonly SimHandlerFile[];
  };
  readonly source: { readonly file: string; readonly text: string };
  readonly tasks: { readonly tasks: readonly SimTask[] };
  readonly storage: SimStoredPage;
  readonly say: { readonly message: SimMessage };
  readonly attach: SimUpload;
  readonly faults: SimFaultState;
  readonly snapshot: { readonly names: readonly string[] };
  readonly clock: { readonly deadlines: readonly SimDeadline[] };
  readonly conversation: { readonly names: readonly string[]; readonly text: string };
  readonly event: { readonly sockets: number };
}

/** Requests to the simulator. Every method throws `RequestError` when the request is rejected. */
export type SimApi = ReturnType<typeof createSimApi>;

/** Returns the input of an action that does not wait for the bot: its response arrives as events. */
export function actOf(user: SimUser, input: object): object {
  return { ...input, as: user.id, seconds: 0 };
}

export function createSimApi(fetch: typeof globalThis.fetch) {
  /** Sends a request. Returns its response; `undefined` if the connection was closed during the response. */
  const call = async (path: string, init?: RequestInit): Promise<unknown> => {
    const response = await fetch(path, init).catch(() => null);
    if (response === null) throw unreachableError();
    const text = await response.text().catch(() => '');
    const answer = orUndefined<unknown>(() => JSON.parse(text));
    if (!response.ok) throw toRequestError(response.status, answer);
    return answer;
  };
  const post = (path: string, body: object, token?: string): Promise<unknown> => {
    const headers = new Headers({ 'content-type': 'application/json' });
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
    return call(path, { method: 'POST', headers, body: JSON.stringify(body) });
  };
  /** Returns a response with its type: the simulator that served this page has the same types. */
  const known = async <Result>(response: Promise<unknown>): Promise<Result> => {
    const answer = await response;
    if (answer === undefined) throw unreachableError();
    return answer as Result;
  };
  return {
    ask: <Name extends keyof Results>(name: Name, input: object = {}): Promise<Results[Name]> =>
      known(post(`/_sim/${name}`, input)),
    /** Carries out an action that only reads. */
    read<Name extends keyof Results>(
      name: Name,
      input: Readonly<Record<string, string | number | undefined>> = {},
    ): Promise<Results[Name]> {
      const query = new URLSearchParams();
      for (const [key, value] of Object.entries(input))
        if (value !== undefined) query.set(key, String(value));
      return known(call(query.size === 0 ? `/_sim/${name}` : `/_sim/${name}?${query}`));
    },
    /** Carries out an action. An incomplete response is ignored, because the action was accepted. */
    async act(name: string, input: object = {}): Promise<void> {
      await post(`/_sim/${name}`, input);
    },
    /** Runs a command as the user, with the endpoint of the platform. */
    runCommand(user: SimUser, channelId: string, commandId: string, rawInput: string) {
      const path = `/api/channels/${encodeURIComponent(channelId)}/interactions/commands`;
      const response = post(path, { commandId, rawInput }, user.token);
      return known<{ readonly interactionId: string }>(response);
    },
  };
}
