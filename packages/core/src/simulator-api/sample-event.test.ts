import { describe, expect, it } from 'vitest';
import { EVENT_NAMES, sampleEvent } from './sample-event.js';

const serverId = '00000000-0000-4000-8000-000000000001';
const scene = { serverId, nowMs: 0, newId: () => '00000000-0000-4000-8000-000000000002' };

describe('sampleEvent', () => {
  it.each(EVENT_NAMES)('%s has the ids of the scene', (name) => {
    expect(sampleEvent(name, scene)).toMatchObject({ serverId });
  });

  it('has nothing for an unknown event', () => {
    expect(sampleEvent('CHANNEL_RENAMED', scene)).toBeUndefined();
  });
});
