import { describe, expect, it } from 'vitest';
import { loadTransport } from './transport.js';
import type { OpenTransport } from './transport.js';

const open: OpenTransport = () => expect.unreachable();

function missing(): Promise<never> {
  return Promise.reject(Object.assign(new Error('missing'), { code: 'ERR_MODULE_NOT_FOUND' }));
}

describe('loadTransport', () => {
  it('prefers node-datachannel', async () => {
    const load = { 'node-datachannel': async () => open, werift: missing };
    expect(await loadTransport(undefined, load)).toBe(open);
  });

  it('uses werift where node-datachannel is missing or has no binary', async () => {
    const load = { 'node-datachannel': missing, werift: async () => open };
    expect(await loadTransport(undefined, load)).toBe(open);
  });

  it('names both in the error when there is none', async () => {
    const broken = () => Promise.reject(new Error('GLIBC_2.30 not found'));
    const load = { 'node-datachannel': broken, werift: missing };
    await expect(loadTransport(undefined, load)).rejects.toMatchObject({
      code: 'E_VOICE_TRANSPORT',
      message:
        'No WebRTC transport can be loaded: node-datachannel fails with "GLIBC_2.30 not found", werift is not installed.',
    });
  });
});
