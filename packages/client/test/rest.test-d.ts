import { createReadStream } from 'node:fs';
import type { Message, VoiceIngress } from '@virgule/core/protocol';
import { describe, expectTypeOf, it } from 'vitest';
import {
  createRest,
  isInvalidCall,
  type ClientErrorDetails,
  type FileInput,
  type MessageBody,
  type OpenIngress,
  type SentAnswer,
} from '@virgule/client/rest';

const rest = createRest({ token: 'x', baseUrl: 'http://x' });

describe('FileInput', () => {
  it('is a path, bytes, a Blob, a stream, or one of them with a name', () => {
    expectTypeOf<string>().toExtend<FileInput>();
    expectTypeOf<Uint8Array>().toExtend<FileInput>();
    expectTypeOf<Buffer>().toExtend<FileInput>();
    expectTypeOf<Blob>().toExtend<FileInput>();
    expectTypeOf<File>().toExtend<FileInput>();
    expectTypeOf(createReadStream('x')).toExtend<FileInput>();
    expectTypeOf<{ name: string; data: Buffer }>().toExtend<FileInput>();
    expectTypeOf<{ name: string; data: Blob; size: number }>().toExtend<FileInput>();
    expectTypeOf<{ data: Buffer }>().not.toExtend<FileInput>();
    expectTypeOf<number>().not.toExtend<FileInput>();
  });
});

describe('messages', () => {
  it('sends text, files, or both, and ends at a signal', () => {
    expectTypeOf<{ content: string }>().toExtend<MessageBody>();
    expectTypeOf<{ content: string; files: string[] }>().toExtend<MessageBody>();
    expectTypeOf<{ files: string[] }>().not.toExtend<MessageBody>();
    type Options = NonNullable<Parameters<typeof rest.messages.send>[2]>;
    expectTypeOf<{ signal: AbortSignal }>().toExtend<Options>();
  });

  it('reads the history message by message', () => {
    const history = rest.messages.history('c', { limit: 3, before: 'm' });
    expectTypeOf(history).toEqualTypeOf<AsyncGenerator<Message, void, undefined>>();
  });
});

describe('interactions', () => {
  it('return a response whose message is parsed when it is read', () => {
    const calls = rest.interactions;
    const text = { content: 'Hi' };
    expectTypeOf(calls.respond('i', text, { deadlineMs: 5 })).toEqualTypeOf<Promise<SentAnswer>>();
    expectTypeOf(calls.editResponse('i', text)).toEqualTypeOf<Promise<SentAnswer>>();
    expectTypeOf(calls.followUp('i', text)).toEqualTypeOf<Promise<SentAnswer>>();
    expectTypeOf<ReturnType<SentAnswer['message']>>().toEqualTypeOf<Message | undefined>();
  });

  it('need the channel for files, and only for them', () => {
    type Body = Parameters<typeof rest.interactions.respond>[1];
    expectTypeOf<{ content: string }>().toExtend<Body>();
    expectTypeOf<{ files: string[]; channelId: string }>().toExtend<Body>();
    expectTypeOf<{ files: string[] }>().not.toExtend<Body>();
    expectTypeOf<Parameters<typeof rest.interactions.followUp>[1]>().toEqualTypeOf<Body>();
    type Edit = Parameters<typeof rest.interactions.editResponse>[1];
    expectTypeOf<Edit>().not.toHaveProperty('files');
  });
});

describe('voice', () => {
  it('returns an ingress that can be disposed of', () => {
    expectTypeOf(rest.voice.openIngress('c')).resolves.toEqualTypeOf<OpenIngress>();
    expectTypeOf<OpenIngress>().toExtend<VoiceIngress & AsyncDisposable>();
  });
});

describe('the guards', () => {
  it('narrow the details', () => {
    expectTypeOf(isInvalidCall).guards.toHaveProperty('details');
    expectTypeOf<ClientErrorDetails['E_INVALID_CALL']['seen']>().toEqualTypeOf<string>();
    expectTypeOf<ClientErrorDetails['E_UPLOAD_FAILED']['fileName']>().toEqualTypeOf<string>();
  });
});
