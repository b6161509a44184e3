import { UNKNOWN_ID, unknown, invalid, inChannel, type Row } from './endpoint-case.js';

export const commandsCases = {
  'commands.list': {
    request: async (platform) => {
      await platform.register('ask');
      return {};
    },
    refused: [],
  },
  'commands.replace': {
    request: () => ({
      body: {
        commands: [
          {
            name: 'play',
            description: 'Play a track in voice',
            options: [{ name: 'url', description: 'Track URL', type: 'string', required: true }],
          },
        ],
      },
    }),
    refused: [
      { when: 'commands is missing', ...invalid('commands'), request: () => ({ body: {} }) },
      {
        when: 'two commands have one name',
        ...invalid('commands'),
        request: () => ({
          body: {
            commands: [
              { name: 'a', description: 'x', options: [] },
              { name: 'a', description: 'y', options: [] },
            ],
          },
        }),
      },
      {
        when: 'two options have one name',
        ...invalid('commands'),
        request: () => {
          const option = { name: 'o', description: 'x', type: 'string', required: true };
          return {
            body: { commands: [{ name: 'a', description: 'x', options: [option, option] }] },
          };
        },
      },
      {
        when: 'a name is not acceptable',
        ...invalid('commands[1].name'),
        request: () => ({
          body: {
            commands: [
              { name: 'a', description: 'x', options: [] },
              { name: 'Not OK', description: 'y', options: [] },
            ],
          },
        }),
      },
      {
        when: 'an option has a type that the interface does not list',
        ...invalid('commands[0].options[0].type'),
        request: () => ({
          body: {
            commands: [
              {
                name: 'a',
                description: 'x',
                options: [{ name: 'o', description: 'x', type: 'date', required: true }],
              },
            ],
          },
        }),
      },
    ],
  },
  'user.runCommand': {
    request: async (platform) => {
      await platform.register('ask');
      const [command] = platform.simulator.snapshot().commands;
      return {
        parameters: { channelId: platform.channelId('general') },
        body: { commandId: command?.id, rawInput: '/ask why' },
      };
    },
    refused: [
      {
        when: 'no command has the id',
        ...unknown,
        request: inChannel('general', { body: { commandId: UNKNOWN_ID, rawInput: '/ask' } }),
      },
      {
        when: 'rawInput is missing',
        ...invalid('rawInput'),
        request: inChannel('general', { body: { commandId: UNKNOWN_ID } }),
      },
      {
        when: 'the bot does not see the channel',
        ...unknown,
        request: async (platform) => {
          await platform.register('ask');
          const [command] = platform.simulator.snapshot().commands;
          return {
            parameters: { channelId: platform.channelId('hidden') },
            body: { commandId: command?.id, rawInput: '/ask' },
          };
        },
      },
    ],
  },
} satisfies Record<string, Row>;
