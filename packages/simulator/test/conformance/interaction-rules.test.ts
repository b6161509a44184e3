// Source: Bot Interface, "States and transitions".
import { describe, expect } from 'vitest';
import { refused, testRules, type Rule } from './plain-bot.js';

const RULES: readonly Rule[] = [
  [
    'an interaction is created when a user runs a slash command, and the bot receives it as an APPLICATION_COMMAND event',
    async (bot) => {
      const socket = await bot.connect({ intents: ['APPLICATION_COMMANDS'] });
      const interactionId = await bot.runAsk('/ask  why "so"');
      expect(await socket.event('APPLICATION_COMMAND')).toEqual({
        interactionId,
        serverId: bot.serverId('Sandbox'),
        channelId: bot.channelId('general'),
        name: 'ask',
        rawInput: '/ask  why "so"',
      });
    },
  ],
  [
    'the bot answers through the interaction endpoints: acknowledge, defer, create a response, edit the response, or send follow-ups',
    async (bot) => {
      const path = `/interactions/${await bot.runAsk()}`;
      const state = () => bot.simulator.snapshot().interactions.at(-1)?.state;
      const steps = [
        ['POST', 'ack', undefined, 'acknowledged'],
        // The thinking state.
        ['POST', 'defer', undefined, 'deferred'],
        ['POST', 'response', 'One', 'answered'],
        ['PATCH', 'response', 'Two', 'answered'],
        ['POST', 'follow-ups', 'Three', 'answered'],
      ] as const;
      for (const [method, name, content, expected] of steps) {
        const body = content === undefined ? undefined : { content };
        const { status } = await bot.api(method, `${path}/${name}`, body);
        expect([name, status, state()]).toEqual([name, 200, expected]);
      }
      const written = bot.simulator.messages().slice(-2);
      expect(written.map(({ content }) => content)).toEqual(['Two', 'Three']);
    },
  ],
  [
    'a command that is not answered quickly expires',
    async (bot) => {
      const path = `/interactions/${await bot.runAsk()}`;
      await bot.clock.advance(60_000);
      for (const [method, name, body] of [
        ['POST', 'ack', undefined],
        ['POST', 'defer', undefined],
        ['POST', 'response', { content: 'Late' }],
        ['PATCH', 'response', { content: 'Late' }],
        ['POST', 'follow-ups', { content: 'Late' }],
      ] as const)
        expect([name, ...refused(await bot.api(method, `${path}/${name}`, body))]).toEqual([
          name,
          404,
          'bot_interaction_not_found',
        ]);
    },
  ],
  [
    'a deferred interaction is meant to be filled in later through the response endpoint',
    async (bot) => {
      const path = `/interactions/${await bot.runAsk()}`;
      await bot.api('POST', `${path}/defer`);
      await bot.clock.advance(10 * 60_000);
      expect((await bot.api('POST', `${path}/response`, { content: 'Done' })).status).toBe(200);
      expect(bot.simulator.messages().at(-1)).toMatchObject({
        content: 'Done',
        authorUsername: 'demo-bot',
      });
    },
  ],
];

const VOICE_RULES: readonly Rule[] = [
  [
    'a WHIP ingress session left open leaves a silent participant in the channel, so it must be closed when the stream ends',
    async (bot) => {
      const voice = `/channels/${bot.channelId('Stage')}/voice`;
      await bot.api('POST', `${voice}/ingress`);
      await bot.api('POST', `${voice}/leave`);
      await bot.clock.advance(60 * 60_000);
      expect(await bot.inVoice('Stage')).toEqual(['demo-bot']);
      await bot.api('DELETE', `${voice}/ingress`);
      expect(await bot.inVoice('Stage')).toEqual([]);
    },
  ],
];

describe('rules that hold for interactions', () => {
  testRules(RULES);
});
describe('rules for voice', () => {
  testRules(VOICE_RULES);
});
