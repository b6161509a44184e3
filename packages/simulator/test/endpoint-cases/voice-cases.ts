import {
  inChannel,
  onServer,
  hiddenServer,
  hiddenChannel,
  notVoice,
  type Row,
} from './endpoint-case.js';

export const voiceCases = {
  'voice.closeIngress': {
    request: async (platform) => {
      const parameters = { channelId: platform.channelId('Lounge') };
      await platform.call('voice.openIngress', parameters);
      return { parameters };
    },
    refused: [
      notVoice,
      {
        when: 'none is open',
        status: 404,
        code: 'bot_ingress_not_found',
        request: inChannel('Lounge'),
      },
    ],
  },
  'voice.openIngress': { request: inChannel('Lounge'), refused: [notVoice, hiddenChannel()] },
  'voice.join': { request: inChannel('Lounge'), refused: [notVoice, hiddenChannel()] },
  'voice.leave': { request: inChannel('Lounge'), refused: [notVoice, hiddenChannel()] },
  'voice.state': { request: onServer('Sandbox'), refused: [hiddenServer] },
} satisfies Record<string, Row>;
