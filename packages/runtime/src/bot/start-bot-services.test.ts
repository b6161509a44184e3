import type { Rest } from '@virgule/client/rest';
import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it, vi } from 'vitest';
import { unauthorized } from '../../test/client-failures.js';
import { createFakeGateway } from '../../test/fake-gateway.js';
import { createFakeRest } from '../../test/fake-rest.js';
import { projectOf } from '../../test/project-of.js';
import { createMemoryStorage } from '../../test/memory-storage.js';
import { createRecordedLog } from '../../test/recorded-log.js';
import type { CreateServices } from '../services/define-services.js';
import { createServices } from '../services/create-services.js';
import { MISSING_VOICE } from '../voice/voice-setting.js';
import { startBot, type StartBotOptions } from './start-bot.js';

async function start(create: CreateServices, options: Partial<StartBotOptions> = {}) {
  const rest = createFakeRest();
  const gateway = createFakeGateway();
  const log = createRecordedLog();
  const clock = createFakeClock();
  const services = createServices({
    create,
    file: 'services.ts',
    env: {},
    rest: rest.rest,
    log,
    clock,
    random: () => 0.5,
    storage: createMemoryStorage(clock),
    tasks: {},
    voice: MISSING_VOICE.voice,
  });
  const bot = startBot({
    token: 'bot-token-made-up-7f3a',
    baseUrl: 'http://127.0.0.1:9',
    gatewayUrl: 'ws://127.0.0.1:9',
    project: await projectOf({ 'commands/x.ts': { description: 'Does x', default: () => 'done' } }),
    sync: 'never',
    rest: rest.rest,
    gateway,
    log,
    clock,
    services,
    ...options,
  });
  return { rest, gateway, log, services, bot };
}

function refusingRest(): Rest {
  const rest = createFakeRest();
  rest.once('users.me', unauthorized());
  return rest.rest;
}

describe('startBot with services', () => {
  it('connects while they are made, and is started when they are', async () => {
    let make: (services: object) => void = () => {};
    const { gateway, bot } = await start(() => new Promise<object>((resolve) => (make = resolve)));
    let isStarted = false;
    void bot.then(() => (isStarted = true));
    await vi.waitFor(() => expect(gateway.isOpen).toBe(true));
    expect(isStarted).toBe(false);
    make({});
    await (await bot).close();
  });

  it('does not start when they cannot be made, and leaves nothing running', async () => {
    const gone: string[] = [];
    const { rest, gateway, bot } = await start(async ({ onDispose }) => {
      onDispose(() => gone.push('db'));
      throw new Error('no database');
    });
    await expect(bot).rejects.toMatchObject({
      code: 'E_SERVICES_FAILED',
      message: 'The services of services.ts could not be created: no database',
    });
    expect(gone).toEqual(['db']);
    expect(gateway.isOpen).toBe(false);
    expect(rest.lines.at(-1)).toBe('close');
  });

  it.each<[string, Partial<StartBotOptions>]>([
    ['the gateway refuses it', { gateway: createFakeGateway({ refusal: unauthorized() }) }],
    ['the token is refused', { rest: refusingRest() }],
  ])('disposes them when %s', async (_, options) => {
    const gone: string[] = [];
    const { bot } = await start(() => ({ db: { close: () => void gone.push('db') } }), options);
    await expect(bot).rejects.toMatchObject({ code: 'E_UNAUTHORIZED' });
    expect(gone).toEqual(['db']);
  });
});
