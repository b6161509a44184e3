import { errorText } from '@virgule/core/errors';
import type {
  SimFaultState,
  SimMessage,
  SimMessagePage,
  SimSnapshot,
} from '@virgule/core/simulator-api';

/** The control API of a simulator, from outside. */
export interface SimControl {
  snapshot(): Promise<SimSnapshot>;
  /** Returns the last messages of a channel, oldest first; deleted ones are among them. */
  messages(channelId: string): Promise<readonly SimMessage[]>;
  faults(): Promise<SimFaultState>;
  /**
   * Sends a request.
   *
   * @throws Error in the words of the simulator, when it refuses.
   */
  send(method: string, path: string, body: object, token?: string): Promise<void>;
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
    snapshot: () => get('/_sim/snapshot'),
    messages: async (channelId) =>
      (await get<SimMessagePage>(`/_sim/channels/${channelId}/messages?limit=50`)).messages,
    faults: () => get('/_sim/faults'),
    async send(method, path, body, token) {
      const headers = {
        'content-type': 'application/json',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      };
      await call(path, { method, headers, body: JSON.stringify(body) });
    },
  };
}

/** Returns the reason of an error. `fetch` says only that it failed; its cause says why. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return errorText(cause ?? error);
}
