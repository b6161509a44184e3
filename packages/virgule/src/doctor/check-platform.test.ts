import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { checkGateway } from './check-platform.js';

const { signal } = new AbortController();

describe('checkGateway', () => {
  it('reports what is wrong with an invalid address', async () => {
    const options = { clock: createFakeClock(), deadlineMs: 5_000, signal };
    expect(await checkGateway('chat.example', options)).toMatchObject({
      name: 'gateway',
      status: 'fail',
      message: expect.stringContaining('chat.example'),
      hint: expect.stringMatching(/\w/),
    });
  });
});
