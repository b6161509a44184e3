import {
  UNKNOWN_ID,
  unknown,
  invalid,
  messageWithFile,
  inChannel,
  hiddenChannel,
  type Row,
} from './endpoint-case.js';

export const attachmentsCases = {
  'attachments.accessUrl': {
    request: async (platform) => ({ parameters: await messageWithFile(platform) }),
    refused: [
      {
        when: 'the message has no such file',
        ...unknown,
        request: async (platform) => ({
          parameters: { ...(await messageWithFile(platform)), attachmentId: UNKNOWN_ID },
        }),
      },
    ],
  },
  'attachments.openUpload': {
    request: inChannel('general', {
      body: { fileName: 'a.txt', contentType: 'text/plain', size: 1 },
    }),
    refused: [
      hiddenChannel({ body: { fileName: 'a.txt', contentType: 'text/plain', size: 1 } }),
      {
        when: 'size is negative',
        ...invalid('size'),
        request: inChannel('general', {
          body: { fileName: 'a.txt', contentType: 'text/plain', size: -1 },
        }),
      },
      {
        when: 'the file is larger than maxBytes',
        ...invalid('size'),
        request: inChannel('general', {
          body: { fileName: 'a.txt', contentType: 'text/plain', size: 25 * 1024 * 1024 + 1 },
        }),
      },
      {
        when: 'fileName is missing',
        ...invalid('fileName'),
        request: inChannel('general', { body: { contentType: 'text/plain', size: 1 } }),
      },
    ],
  },
} satisfies Record<string, Row>;
