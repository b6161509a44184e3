// Behavior of the client against the simulator, which shares no code with the client.
import { silentLog } from '@virgule/core/log';
import { expect, describe, it, onTestFinished } from 'vitest';
import { createGateway, type GatewayEvent, type GatewayStatus } from '@virgule/client/gateway';
import {
  createRest,
  sendReconciled,
  type HttpDispatcher,
  type RestOptions,
} from '@virgule/client/rest';
import { Pool } from 'undici';
import { ENDS, type End } from './simulator-ends.js';
import { startFaultProxy, type LinkFault } from './faults/fault-proxy.js';
import { createTestClock, type TestClock } from './faults/test-clock.js';
import { errorOf } from './test-rest.js';

type Open = (typeof ENDS)[number][1];

interface WorldOptions {
  readonly open: Open;
  /** Fault of the network for each REST connection. */
  readonly plan?: (index: number) => LinkFault;
  /** Sends the requests in place of the client's own connections. */
  readonly dispatcher?: (end: End) => HttpDispatcher;
  readonly rest?: Partial<RestOptions>;
}

async function openWorld({ open, plan, dispatcher, rest: restOptions }: WorldOptions) {
  const clock = createTestClock();
  const end = await open({ clock });
  const line = await startFaultProxy({ target: end.restAddress, clock, ...(plan && { plan }) });
  const rest = createRest({
    log: silentLog,
    token: end.token,
    baseUrl: `http://${line.address}`,
    clock,
    random: () => 0.5,
    dispatcher: dispatcher?.(end),
    ...restOptions,
  });
  onTestFinished(() => void rest.close());
  return { clock, end, rest, line };
}

/** Pushes time until a call has ended, and returns its result. */
async function settled<Value>(clock: TestClock, call: Promise<Value>): Promise<Value> {
  let isOver = false;
  const ending = call.finally(() => (isOver = true));
  ending.catch(() => {});
  await clock.push(20, () => expect(isOver).toBe(true));
  return ending;
}

/** Answers the first request with a 429 that asks for a wait, in the server's place. */
function limitOnce(end: End, seconds: number, now: () => number) {
  const pool = new Pool(`http://${end.restAddress}`);
  onTestFinished(() => pool.destroy());
  const sentAtMs: number[] = [];
  const dispatcher: HttpDispatcher = {
    dispatch(request, handler) {
      sentAtMs.push(now());
      if (sentAtMs.length > 1) return pool.dispatch(request, handler);
      const controller = { abort: () => {} };
      handler.onRequestStart(controller);
      handler.onResponseStart(controller, 429, { 'retry-after': String(seconds) });
      handler.onResponseEnd(controller);
      return true;
    },
  };
  return { dispatcher, sentAtMs };
}

/** Carries requests out, and loses the answer to the first message. */
function loseAnswer(end: End): HttpDispatcher {
  const pool = new Pool(`http://${end.restAddress}`);
  onTestFinished(() => pool.destroy());
  let isLost = false;
  return {
    dispatch(request, handler) {
      if (isLost || request.method !== 'POST') return pool.dispatch(request, handler);
      isLost = true;
      return pool.dispatch(request, {
        onRequestStart: (controller) => handler.onRequestStart(controller),
        onResponseStart: () => {},
        onResponseData: () => {},
        onResponseEnd: (controller) => handler.onResponseError(controller, new Error('lost')),
        onResponseError: (controller, error) => handler.onResponseError(controller, error),
      });
    },
  };
}

/** Sends a message, and returns it as the platform has it: not every platform responds with it. */
async function sendOne({ rest, end }: Awaited<ReturnType<typeof openWorld>>) {
  const response = await rest.messages.send(end.channelId, { content: 'one' });
  const [newest] = (await rest.messages.list(end.channelId)).messages;
  return response ?? newest;
}

describe.each(ENDS)('rest on the simulator, %s', (_name, open) => {
  it('sends, reads, edits and deletes a message', async () => {
    const world = await openWorld({ open });
    const { end, rest } = world;
    const { botUserId } = await rest.users.me();
    const sent = await sendOne(world);
    expect(sent).toMatchObject({ content: 'one', authorId: botUserId, channelId: end.channelId });
    const id = sent?.id ?? '';
    await rest.messages.edit(end.channelId, id, { content: 'two' });
    expect(await rest.messages.get(end.channelId, id)).toMatchObject({ id, content: 'two' });
    await rest.messages.delete(end.channelId, id);
    const page = await rest.messages.list(end.channelId);
    expect(page.messages.filter((each) => each.id === id && !each.isDeleted)).toEqual([]);
  });

  it('lists the newest message first', async () => {
    const { end, rest } = await openWorld({ open });
    for (const content of ['one', 'two', 'three']) {
      await rest.messages.send(end.channelId, { content });
    }
    const { messages } = await rest.messages.list(end.channelId);
    expect(messages.slice(0, 3).map(({ content }) => content)).toEqual(['three', 'two', 'one']);
  });

  it('types, reacts, and reads the commands', async () => {
    const world = await openWorld({ open });
    const { end, rest } = world;
    const sent = await sendOne(world);
    await rest.channels.typing(end.channelId);
    await rest.reactions.add(end.channelId, sent?.id ?? '', { unicodeEmoji: '👍' });
    const commands = await rest.commands.list();
    expect(commands.map(({ name }) => typeof name)).toEqual(['string']);
  });

  it('says what the platform refused', async () => {
    const { end, rest } = await openWorld({ open });
    const unknownId = '00000000-0000-4000-8000-00000000dead';
    const error = await errorOf(rest.messages.get(end.channelId, unknownId));
    expect(error).toMatchObject({ code: 'E_API_REFUSED', details: { status: 404 } });
    expect(error.details['apiCode']).not.toBe('');
    expect(error.details['requestId']).not.toBe('');
  });

  it('stops at a token that is refused, and does not show it', async () => {
    const token = 'made-up-and-wrong';
    const { end, rest, line } = await openWorld({ open, rest: { token } });
    const error = await errorOf(rest.users.me());
    expect(error.code).toBe('E_UNAUTHORIZED');
    expect(JSON.stringify(error) + error.message).not.toContain(token);
    const { connections } = line;
    expect((await errorOf(rest.channels.typing(end.channelId))).code).toBe('E_UNAUTHORIZED');
    expect(line.connections).toBe(connections);
  });

  it('waits as long as a 429 asks for, and then continues', async () => {
    const clock = createTestClock();
    const end = await open({ clock });
    const { dispatcher, sentAtMs } = limitOnce(end, 3, () => clock.monotonic());
    const rest = createRest({
      log: silentLog,
      token: end.token,
      baseUrl: `http://${end.restAddress}`,
      clock,
      random: () => 0.5,
      dispatcher,
    });
    onTestFinished(() => void rest.close());
    await settled(clock, rest.messages.send(end.channelId, { content: 'late' }));
    const [first = 0, second = 0] = sentAtMs;
    expect(second - first).toBeGreaterThanOrEqual(3_000);
    expect(end.sent()).toEqual(['late']);
    expect(rest.limits().buckets).toMatchObject([{ route: 'messages.send', limited: 1 }]);
  });

  it('ends at once when it is aborted while connecting, and while waiting for the answer', async () => {
    const { clock, rest, line } = await openWorld({
      open,
      plan: () => ({ toServer: { cut: 'stall' } }),
    });
    for (const connections of [0, 1]) {
      const ending = new AbortController();
      const call = errorOf(rest.users.me({ signal: ending.signal }));
      await clock.push(0, () => expect(line.open).toBeGreaterThanOrEqual(connections));
      ending.abort();
      // The clock was not advanced: nothing was waited for.
      expect((await call).code).toBe('E_ABORTED');
    }
  });

  it('reads again when the connection breaks', async () => {
    const plan = (index: number): LinkFault =>
      index === 0 ? { toClient: { cut: 'reset', afterBytes: 1 } } : {};
    const { clock, rest, line } = await openWorld({ open, plan });
    expect(await settled(clock, rest.users.me())).toMatchObject({ botUserId: expect.any(String) });
    expect(line.connections).toBeGreaterThan(1);
  });

  it('does not send a message again by itself, and says that it does not know', async () => {
    const plan = (index: number): LinkFault =>
      index === 0 ? { toClient: { cut: 'reset', afterBytes: 1 } } : {};
    const { clock, end, rest } = await openWorld({ open, plan });
    const sending = errorOf(rest.messages.send(end.channelId, { content: 'once' }));
    expect((await settled(clock, sending)).code).toBe('E_OUTCOME_UNKNOWN');
    expect(end.sent()).toEqual(['once']);
  });

  it('finds a message whose answer was lost when it is asked to', async () => {
    const { clock, end, rest } = await openWorld({ open, dispatcher: loseAnswer });
    const sending = sendReconciled(rest, end.channelId, { content: 'once' }, { clock });
    expect((await settled(clock, sending))?.content).toBe('once');
    expect(end.sent()).toEqual(['once']);
  });

  it('uploads a file whole, and sends its message', async () => {
    const { clock, end, rest } = await openWorld({ open });
    const files = [{ name: 'cat.txt', data: Buffer.from('meow') }];
    await settled(clock, rest.messages.send(end.channelId, { content: 'look', files }));
    expect(end.sent()).toEqual(['look']);
    expect(await end.stored()).toEqual(['meow']);
  });

  it('refuses a text that is too long before it is sent', async () => {
    const { end, rest, line } = await openWorld({ open });
    const content = 'x'.repeat(2_001);
    const error = await errorOf(rest.messages.send(end.channelId, { content }));
    expect(error).toMatchObject({ code: 'E_INVALID_CALL', details: { field: 'content' } });
    expect([end.sent(), line.connections]).toEqual([[], 0]);
  });
});

async function connect(open: Open, readsBack = false) {
  const world = await openWorld({ open });
  const { clock, end, rest } = world;
  const line = await startFaultProxy({ target: end.gatewayAddress, clock });
  const events: GatewayEvent[] = [];
  const statuses: GatewayStatus[] = [];
  let answered = 0;
  const gateway = createGateway({
    log: silentLog,
    token: end.token,
    gatewayUrl: `ws://${line.address}`,
    clock,
    random: () => 0.5,
    ...(readsBack && { backfill: { rest, channels: () => [end.channelId] } }),
  });
  onTestFinished(() => void gateway.close());
  const connected = gateway.connect({
    dispatch: (event) => {
      events.push(event);
      if (event.t !== 'APPLICATION_COMMAND') return;
      const { interactionId } = Object(event.d);
      void rest.interactions.respond(interactionId, { content: 'pong' }).then(
        () => (answered += 1),
        (error: unknown) => expect.fail(String(error)),
      );
    },
    status: (status) => void statuses.push(status),
  });
  const ready = (times: number): Promise<void> =>
    clock.push(20, () =>
      expect(statuses.filter(({ state }) => state === 'ready')).toHaveLength(times),
    );
  await ready(1);
  await connected;
  const received = (): readonly string[] =>
    events.flatMap(({ t, d, recovered }) =>
      t === 'MESSAGE_CREATE' && Object(d).content !== 'pong'
        ? [`${Object(d).content}${recovered ? '*' : ''}`]
        : [],
    );
  /** A user runs a command, and gets its answer. */
  async function runCommand(): Promise<void> {
    const id = end.runCommand();
    const before = answered;
    await clock.push(5, () => expect([end.answerTo(id), answered]).toEqual(['pong', before + 1]));
  }
  return { ...world, runCommand, gateway, gatewayLine: line, events, statuses, ready, received };
}

describe.each(ENDS)('gateway on the simulator, %s', (_name, open) => {
  it('connects, receives a command, and the answer arrives', async () => {
    const { runCommand, events } = await connect(open);
    await runCommand();
    expect(events.filter(({ t }) => t === 'APPLICATION_COMMAND')).toHaveLength(1);
  });

  it('reconnects when the connection breaks, reports the gap, and keeps working', async () => {
    const { runCommand, gatewayLine, statuses, ready } = await connect(open);
    gatewayLine.reset();
    await ready(2);
    expect(statuses.map(({ state }) => state)).toEqual(['ready', 'reconnecting', 'gap', 'ready']);
    await runCommand();
  });

  it('replaces a connection that says nothing any more', async () => {
    const { clock, runCommand, gatewayLine, statuses, ready } = await connect(open);
    gatewayLine.swallow();
    const silentSinceMs = clock.elapsedMs;
    // Nothing arrives on the socket meanwhile, so time may pass in large steps.
    await clock.push(200, () => expect(statuses).toHaveLength(2));
    await ready(2);
    // Until the next beat, its answer's deadline, and the pause before a new connection.
    expect(clock.elapsedMs - silentSinceMs).toBeLessThanOrEqual(25_000 + 10_000 + 2_000);
    expect(statuses[1]).toMatchObject({
      reason: expect.stringMatching(/^no answer to a heartbeat/),
    });
    await runCommand();
  });

  it('reads back what was written in a gap, in its place', async () => {
    const { clock, end, gatewayLine, ready, received } = await connect(open, true);
    end.write('before');
    await clock.push(5, () => expect(received()).toEqual(['before']));
    await clock.advance(1_000);
    gatewayLine.swallow();
    end.write('meanwhile');
    gatewayLine.reset();
    await ready(2);
    await clock.push(5, () => expect(received()).toEqual(['before', 'meanwhile*']));
    end.write('after');
    await clock.push(5, () => expect(received()).toEqual(['before', 'meanwhile*', 'after']));
  });

  it('closes at once, and says so last', async () => {
    const { clock, gateway, gatewayLine, statuses } = await connect(open);
    await settled(clock, gateway.close());
    expect(statuses.at(-1)?.state).toBe('closed');
    await clock.push(5, () => expect(gatewayLine.open).toBe(0));
  });
});
