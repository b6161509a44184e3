import { once } from 'node:events';
import type { SimEvent, SimFrame } from '@virgule/core/simulator-api';
import { Pool } from 'undici';
import { WebSocket } from 'ws';

/** A user of a simulator who sends commands and receives answers over a socket, as the chat page does. */
export interface BenchChat {
  /** Runs a command. Resolves with the answer, or `undefined` if the command expired without one. */
  ask(line: string): Promise<string | undefined>;
  /** Resolves with the number of times the bot identified. */
  readonly identifies: () => Promise<number>;
  close(): Promise<void>;
}

export interface BenchPlatform {
  readonly baseUrl: string;
  readonly userToken: string;
}

type Settle = (answer: string | undefined) => void;

export async function openBenchChat({ baseUrl, userToken }: BenchPlatform): Promise<BenchChat> {
  const socket = new WebSocket(`${baseUrl.replace('http', 'ws')}/_ui`);
  const pool = new Pool(baseUrl);
  const waiting = new Map<string, Settle>();
  /** Answers that arrived before the response to their request. */
  const early = new Map<string, string | undefined>();
  const commands = new Map<string, string>();
  let channelId = '';

  function settle(id: string, answer: string | undefined): void {
    const known = waiting.get(id);
    if (known) {
      waiting.delete(id);
      known(answer);
    } else {
      early.set(id, answer);
    }
  }

  function receive(event: SimEvent): void {
    if (event.type === 'snapshot')
      channelId = event.snapshot.channels.find(({ name }) => name === 'general')?.id ?? '';
    if (event.type === 'snapshot' || event.type === 'commands') {
      const list = event.type === 'snapshot' ? event.snapshot.commands : event.commands;
      for (const { name, id } of list) commands.set(name, id);
    }
    if (event.type === 'message' && event.message.interactionId !== null)
      settle(event.message.interactionId, event.message.content);
    if (event.type === 'interaction' && event.interaction.state === 'expired')
      settle(event.interaction.id, undefined);
  }

  // The simulator and this file have the same version.
  socket.on('message', (data: Buffer) => {
    for (const event of JSON.parse(data.toString()) as SimFrame) receive(event);
  });
  await once(socket, 'message');

  return {
    async ask(line) {
      const name = line.slice(1).split(' ', 1)[0] ?? '';
      const { body } = await pool.request({
        method: 'POST',
        path: `/api/channels/${channelId}/interactions/commands`,
        headers: { authorization: `Bearer ${userToken}`, 'content-type': 'application/json' },
        body: JSON.stringify({ commandId: commands.get(name), rawInput: line }),
      });
      const { interactionId: id } = (await body.json()) as { interactionId: string };
      if (early.has(id)) {
        const answer = early.get(id);
        early.delete(id);
        return answer;
      }
      return new Promise((resolve) => waiting.set(id, resolve));
    },
    async identifies() {
      const { body } = await pool.request({ method: 'GET', path: '/_sim/state' });
      const state = (await body.json()) as { gateway: { identifies: number } };
      return state.gateway.identifies;
    },
    async close() {
      socket.terminate();
      await pool.destroy();
    },
  };
}
