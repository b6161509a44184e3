import { describe, expect, it } from 'vitest';
import { createFakeApp, NOW } from '../../test/fake-app.js';
import { newId } from './new-id.js';
import { EVENT_NAMES, sampleEvent } from './sample-event.js';

const { store } = createFakeApp();
const scene = {
  world: store.world.value,
  place: store.place.value,
  message: undefined,
  nowMs: NOW,
  newId: () => newId(crypto),
};

describe('sampleEvent', () => {
  it.each(EVENT_NAMES)('%s is of what the page shows', (name) => {
    const serverId = store.place.value.server?.id;
    expect(sampleEvent(name, scene)).toMatchObject({ serverId });
  });

  it('is empty for an unknown event', () => {
    expect(sampleEvent('CHANNEL_RENAMED', scene)).toEqual({});
  });
});
