import type { SimEvent, SimMessagePage, SimUpload } from '@virgule/core/simulator-api';
import { createActions, type Actions } from '../src/app/actions.js';
import { createMessageLoader } from '../src/app/load-messages.js';
import { receiveEvent } from '../src/app/receive.js';
import { createStore, type Store } from '../src/app/store.js';
import type { PageEdge, SimApi } from '../src/net/sim-api.js';
import { openStorage, type TextStorage } from '../src/state/stored-text.js';
import { ADA, message, snapshot } from './sample-world.js';

/** One call of the API: its name and what it was given. */
export type ApiCall = readonly [name: string, ...given: readonly unknown[]];

export interface FakeApi extends SimApi {
  readonly calls: readonly ApiCall[];
  /** Makes every call fail with this until it is set to null. */
  failure: Error | null;
  /** What an upload answers. */
  upload: (fileName: string) => SimUpload;
  /** What readMessages answers. */
  readPage: (channelId: string, edge: PageEdge | null) => SimMessagePage | Promise<SimMessagePage>;
}

export function createFakeApi(): FakeApi {
  const calls: ApiCall[] = [];
  const record =
    (name: string) =>
    (...given: readonly unknown[]): Promise<void> => {
      calls.push([name, ...given]);
      return api.failure === null ? Promise.resolve() : Promise.reject(api.failure);
    };
  const api: FakeApi = {
    calls,
    failure: null,
    readPage: () => ({ messages: [], hasMore: false }),
    async readMessages(channelId, edge) {
      await record('readMessages')(channelId, edge);
      return api.readPage(channelId, edge);
    },
    async uploadFile(file) {
      await record('uploadFile')(file);
      return api.upload(file.fileName);
    },
    upload: (fileName) => ({
      objectKey: `uploads/${fileName}`,
      fileName,
      contentType: 'text/plain',
      size: 5,
      url: `http://127.0.0.1:7300/_files/uploads/${fileName}`,
      expiresAt: new Date(NOW + 900_000).toISOString(),
    }),
    readPast: () => Promise.reject(new Error('not used')),
    readSnapshot: () => Promise.reject(new Error('not used')),
    async sendMessage(sent) {
      await record('sendMessage')(sent);
      return message(ADA, sent.content, { channelId: sent.channelId });
    },
    readCommandFiles: () => Promise.reject(new Error('not used')),
    readTasks: () => Promise.reject(new Error('not used')),
    changeTask: () => Promise.reject(new Error('not used')),
    readStorage: () => Promise.reject(new Error('not used')),
    readFaults: () => Promise.reject(new Error('not used')),
    setFaults: () => Promise.reject(new Error('not used')),
    changePlace: record('changePlace'),
    removePlace: record('removePlace'),
    readSnapshots: () => Promise.resolve([]),
    saveSnapshot: async (name) => {
      await record('saveSnapshot')(name);
      return [name];
    },
    restoreSnapshot: record('restoreSnapshot'),
    deleteSnapshot: async (name) => {
      await record('deleteSnapshot')(name);
      return [];
    },
    readConversations: async () => ['hello'],
    readConversation: async () => '#general\nada: /hello\n+2h\ngrace 👍\n',
    saveConversation: record('saveConversation'),
    resetWorld: record('resetWorld'),
    moveClock: record('moveClock'),
    sendEvent: async (name, payload) => {
      await record('sendEvent')(name, payload);
      return 1;
    },
    dropGateway: record('dropGateway'),
    readTrace: () => Promise.reject(new Error('not used')),
    readTraceRow: () => Promise.reject(new Error('not used')),
    editMessage: record('editMessage'),
    deleteMessage: record('deleteMessage'),
    react: record('react'),
    moveVoice: record('moveVoice'),
    readAudio: () => Promise.resolve(null),
    async runCommand(run) {
      await record('runCommand')(run);
      return { interactionId: `run-${calls.length}` };
    },
  };
  return api;
}

/** A storage that lasts as long as the test. */
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

/** A store that knows the sample world, over an API that keeps what it is asked. */
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
    actions: createActions(store, api, createMessageLoader(store, api), () => NOW),
    receive,
  };
}
