import type { SimEvent, SimMessage, SimMessagePage, SimUpload } from '@virgule/core/simulator-api';
import { createActions, type Actions } from '../src/app/actions.js';
import { receiveEvent } from '../src/app/receive.js';
import { createStore, type Store } from '../src/app/store.js';
import type { SimApi } from '../src/net/sim-api.js';
import { openStorage, type TextStorage } from '../src/state/stored-text.js';
import { ADA, message, snapshot } from './sample-world.js';

/** One call of the API: its name and its arguments. */
export type ApiCall = readonly [name: string, ...given: readonly unknown[]];

export interface FakeApi extends SimApi {
  readonly calls: readonly ApiCall[];
  /** Error of every call; null for success. */
  failure: Error | null;
  /** Returns the response to an upload. */
  upload: (fileName: string) => SimUpload;
  /** Returns the page of messages for a read. */
  readPage: () => SimMessagePage | Promise<SimMessagePage>;
  /** Returns the message for a call of `say`. */
  said: (input: Readonly<Record<string, string>>) => SimMessage | Promise<SimMessage>;
  /** Text of every saved conversation. */
  conversation: string;
}

export function createFakeApi(): FakeApi {
  const calls: ApiCall[] = [];
  const record = async (name: string, given?: unknown): Promise<void> => {
    calls.push([name, given]);
    if (api.failure !== null) throw api.failure;
  };
  const api: FakeApi = {
    calls,
    failure: null,
    readPage: () => ({ messages: [], hasMore: false }),
    said: ({ content = '', channel = '' }) => message(ADA, content, { channelId: channel }),
    conversation: '#general\nada: /hello\n+2h\ngrace 👍\n',
    act: record,
    // Each result has the type of its action.
    async read(name, given) {
      await record(name, given);
      return (await api.readPage()) as never;
    },
    async ask(name, given) {
      await record(name, given);
      const input: Readonly<Record<string, string>> = { ...given };
      if (name === 'attach') return api.upload(input['name'] ?? '') as never;
      const result = name === 'say' ? { message: await api.said(input) } : {};
      return { ...result, text: api.conversation } as never;
    },
    upload: (fileName) => ({
      objectKey: `uploads/${fileName}`,
      fileName,
      contentType: 'text/plain',
      size: 5,
      url: `http://127.0.0.1:7300/_files/uploads/${fileName}`,
      expiresAt: new Date(NOW + 900_000).toISOString(),
    }),
    async runCommand(user, channelId, commandId, rawInput) {
      await record('runCommand', { user, channelId, commandId, rawInput });
      return { interactionId: `run-${calls.length}` };
    },
  };
  return api;
}

/** A storage for the duration of the test. */
export function memoryStorage(): TextStorage {
  return openStorage(() => {
    throw new Error('no browser');
  });
}

export interface FakeApp {
  readonly store: Store;
  readonly api: FakeApi;
  readonly actions: Actions;
  receive(event: SimEvent): void;
}

export const NOW = 1_800_000_000_000;

/** A store with the sample world, over an API that records its calls. */
export function createFakeApp(): FakeApp {
  const store = createStore({ serverId: null, channelId: null, as: null, trace: null }, NOW);
  const api = createFakeApi();
  const receive = (event: SimEvent) => {
    receiveEvent(store, event, { nowMs: NOW, isVisible: true });
  };
  receive({ type: 'snapshot', snapshot: snapshot() });
  return {
    store,
    api,
    actions: createActions(store, api, () => NOW),
    receive,
  };
}
