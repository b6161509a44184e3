import { describe, expect, it } from 'vitest';
import type { SimMessagePage } from '@virgule/core/simulator-api';
import { createFakeApp } from '../../test/fake-app.js';
import { ADA, EMPTY, GENERAL, GRACE, message } from '../../test/sample-world.js';
import { createMessageLoader } from './load-messages.js';

const page = (content: string, hasMore = false): SimMessagePage => ({
  messages: [message(ADA, content)],
  hasMore,
});

function start() {
  const app = createFakeApp();
  const loader = createMessageLoader(app.store, app.api);
  const contents = () => app.store.openLog.value.messages.map((item) => item.content);
  return { ...app, loader, contents };
}

describe('createMessageLoader', () => {
  it('loads the newest page, then older ones before the first message', async () => {
    const { loader, api, contents, store } = start();
    api.readPage = () => page('new', true);
    await loader.loadNewest(GENERAL.id);
    const oldest = store.openLog.value.messages[0]?.id;
    api.readPage = () => ({
      messages: [message(ADA, 'old', { createdAt: '2020-01-01T00:00:00Z' })],
      hasMore: false,
    });
    await loader.loadOlder(GENERAL.id);
    expect(contents()).toEqual(['old', 'new']);
    expect(api.calls).toEqual([
      ['messages', { channel: GENERAL.id, limit: 50 }],
      ['messages', { channel: GENERAL.id, limit: 50, before: oldest }],
    ]);
    await loader.loadOlder(GENERAL.id);
    expect(api.calls).toHaveLength(2);
  });

  it('removes the older messages of a long window when its end is shown again', async () => {
    const { loader, api, store } = start();
    api.readPage = () => page('new', true);
    await loader.loadNewest(GENERAL.id);
    const messages = Array.from({ length: 400 }, () => message(ADA, 'old'));
    api.readPage = () => ({ messages, hasMore: false });
    await loader.loadOlder(GENERAL.id);
    expect(store.openLog.value).toMatchObject({ messages: { length: 401 }, hasOlder: false });
    loader.cut(GENERAL.id);
    expect(store.openLog.value).toMatchObject({ messages: { length: 300 }, hasOlder: true });
    expect(store.openLog.value.messages.at(-1)?.content).toBe('new');
  });

  it('asks for one older page at a time, and for none of a channel it does not hold', async () => {
    const { loader, api } = start();
    await loader.loadOlder(EMPTY.id);
    api.readPage = () => page('new', true);
    await loader.loadNewest(GENERAL.id);
    await Promise.all([loader.loadOlder(GENERAL.id), loader.loadOlder(GENERAL.id)]);
    expect(api.calls).toHaveLength(2);
  });

  it('keeps what arrives while it reads', async () => {
    const { loader, api, receive, contents } = start();
    api.readPage = () => {
      receive({ type: 'message', message: message(GRACE, 'meanwhile') });
      return { messages: [], hasMore: false };
    };
    await loader.loadNewest(GENERAL.id);
    expect(contents()).toEqual(['meanwhile']);
  });

  it('discards an older page if the messages next to it were removed meanwhile', async () => {
    const { loader, api, store, contents } = start();
    api.readPage = () => ({ messages: [message(ADA, 'one'), message(ADA, 'two')], hasMore: true });
    await loader.loadNewest(GENERAL.id);
    api.readPage = () => {
      const log = store.openLog.value;
      store.logs.value = new Map([[GENERAL.id, { ...log, messages: log.messages.slice(1) }]]);
      return page('zero');
    };
    await loader.loadOlder(GENERAL.id);
    expect([contents(), store.openLog.value.loading]).toEqual([['two'], null]);
    api.readPage = () => page('one');
    await loader.loadOlder(GENERAL.id);
    expect(contents()).toEqual(['one', 'two']);
  });

  it('takes the answer to the last question only', async () => {
    const { loader, api, contents } = start();
    const answers: ((answer: SimMessagePage) => void)[] = [];
    api.readPage = () => new Promise((resolve) => answers.push(resolve));
    const first = loader.loadNewest(GENERAL.id);
    const second = loader.loadNewest(GENERAL.id);
    await expect.poll(() => answers.length).toBe(2);
    answers[1]?.(page('second'));
    await second;
    answers[0]?.(page('first'));
    await first;
    expect(contents()).toEqual(['second']);
  });

  it('is silent about the failure of an earlier question', async () => {
    const { loader, api, store, contents } = start();
    const failures: ((error: Error) => void)[] = [];
    api.readPage = () => new Promise((_, reject) => failures.push(reject));
    const first = loader.loadNewest(GENERAL.id);
    await expect.poll(() => failures.length).toBe(1);
    api.readPage = () => page('second');
    await loader.loadNewest(GENERAL.id);
    failures[0]?.(new Error('too late'));
    await first;
    expect(store.openLog.value.error).toBeNull();
    expect(contents()).toEqual(['second']);
  });

  it('says why it failed and can be asked again', async () => {
    const { loader, api, store, contents } = start();
    api.failure = new Error('The simulator could not be reached.');
    await loader.loadNewest(GENERAL.id);
    expect(store.openLog.value.error).toBe('The simulator could not be reached.');
    api.failure = null;
    api.readPage = () => page('back');
    await loader.loadNewest(GENERAL.id);
    expect(store.openLog.value.error).toBeNull();
    expect(contents()).toEqual(['back']);
  });

  it('forgets the other channels, and answers that come for them', async () => {
    const { loader, api, store } = start();
    await loader.loadNewest(GENERAL.id);
    const answers: ((answer: SimMessagePage) => void)[] = [];
    api.readPage = () => new Promise((resolve) => answers.push(resolve));
    const late = loader.loadNewest(EMPTY.id);
    await expect.poll(() => answers.length).toBe(1);
    loader.discardOthers(GENERAL.id);
    answers[0]?.(page('late'));
    await late;
    expect([...store.logs.value.keys()]).toEqual([GENERAL.id]);
    loader.discardOthers(null);
    expect(store.logs.value.size).toBe(0);
  });
});
