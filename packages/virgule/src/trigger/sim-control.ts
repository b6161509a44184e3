import { errorText } from '@virgule/core/errors';
import type {
  SimFaultState,
  SimMessage,
  SimMessagePage,
  SimSnapshot,
  SimUpload,
} from '@virgule/core/simulator-api';

/** The control API of a simulator, from outside. Each method throws an `Error` in its words when it refuses. */
export interface SimControl {
  snapshot(): Promise<SimSnapshot>;
  /** Returns the last messages of a channel, oldest first; deleted ones are among them. */
  messages(channelId: string, limit?: number): Promise<readonly SimMessage[]>;
  faults(): Promise<SimFaultState>;
  /** Returns what a path responds with. */
  get<T>(path: string): Promise<T>;
  /** Sends a request. Returns what it responds with; `undefined` for an empty response. */
  send(method: string, path: string, body: object, token?: string): Promise<unknown>;
  upload(
    file: { readonly name: string; readonly data: Uint8Array<ArrayBuffer>; readonly type: string },
    place: { readonly channelId: string; readonly userId: string },
  ): Promise<SimUpload>;
}

export function createSimControl(baseUrl: string): SimControl {
  async function call(path: string, init?: RequestInit): Promise<Response> {
    const response = await fetch(`${baseUrl}${path}`, init);
    if (response.ok) return response;
    // Every refusal of a simulator has this shape; a proxy in between may say anything.
    const body = (await response.json().catch(() => null)) as { message?: unknown } | null;
    throw new Error(typeof body?.message === 'string' ? body.message : `status ${response.status}`);
  }
  // Both run the same version, so the answers are types, not schemas.
  const get = async <T>(path: string): Promise<T> => (await call(path)).json() as Promise<T>;

  return {
    get,
    snapshot: () => get('/_sim/snapshot'),
    messages: async (channelId, limit = 50) =>
      (await get<SimMessagePage>(`/_sim/channels/${channelId}/messages?limit=${limit}`)).messages,
    faults: () => get('/_sim/faults'),
    async send(method, path, body, token) {
      const headers = {
        'content-type': 'application/json',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      };
      const response = await call(path, { method, headers, body: JSON.stringify(body) });
      const text = await response.text();
      return text === '' ? undefined : (JSON.parse(text) as unknown);
    },
    async upload({ name, data, type }, place) {
      const query = new URLSearchParams({ ...place, fileName: name });
      const response = await call(`/_sim/uploads?${query.toString()}`, {
        method: 'POST',
        headers: { 'content-type': type },
        body: data,
      });
      return (await response.json()) as SimUpload;
    },
  };
}

/** Returns the reason of an error. `fetch` says only that it failed; its cause says why. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return errorText(cause ?? error);
}
