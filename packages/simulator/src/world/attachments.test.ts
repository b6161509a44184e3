import { createFakeClock } from '@virgule/core/clock';
import { resolveProfile } from '@virgule/core/protocol';
import { describe, expect, it } from 'vitest';
import { attachmentBytes, openUpload, storeUpload } from './attachments.js';
import { firstBot } from './bots.js';
import { buildWorld } from './build-world.js';
import { sendMessage } from './messages.js';

const MIB = 1024 * 1024;

/** A world in which files of up to 200 MiB may be uploaded. */
function worldForTest() {
  const profile = resolveProfile({ uploadMaxBytes: 200 * MIB });
  const clock = createFakeClock();
  const world = buildWorld({ seed: 'test', clock, profile });
  const channel = [...world.state.channels.values()].find(({ name }) => name === 'general');
  if (!channel) throw new Error('The seed has no channel "general".');
  const open = () =>
    openUpload(world, channel, { fileName: 'a', contentType: 'text/plain', size: 1 });
  return { world, channel, open };
}

describe('storeUpload', () => {
  const large = Buffer.alloc(150 * MIB);

  it('keeps no more than 256 MiB of all files together', () => {
    const { world, open } = worldForTest();
    storeUpload(world, open(), large);
    expect(() => storeUpload(world, open(), large)).toThrow('All files together');
    expect(world.blobs.size).toBe(1);
    storeUpload(world, open(), large.subarray(0, 106 * MIB));
    expect(() => storeUpload(world, open(), Buffer.alloc(1))).toThrow('All files together');
  });

  it('lets a file take the place of the one with its key, however full the storage is', () => {
    const { world, open } = worldForTest();
    const upload = open();
    storeUpload(world, upload, large);
    storeUpload(world, upload, large.subarray(1));
    expect(world.state.uploads.get(upload.objectKey)?.sizeBytes).toBe(150 * MIB - 1);
    expect(world.blobs.get(upload.objectKey)).toHaveLength(150 * MIB - 1);
  });

  it('refuses more bytes than one file may have', () => {
    const { world, open } = worldForTest();
    expect(() => storeUpload(world, open(), Buffer.alloc(200 * MIB + 1))).toThrow('larger than');
    expect(world.blobs.size).toBe(0);
  });
});

describe('attachmentBytes', () => {
  it('knows no file of a message that was forgotten, and its bytes are gone', () => {
    const { world, channel, open } = worldForTest();
    const upload = open();
    storeUpload(world, upload, Buffer.from('x'));
    const send = (objectKeys: readonly string[]) =>
      sendMessage(world, {
        channel,
        authorId: firstBot(world.state).botUserId,
        content: '',
        attachments: objectKeys.map((objectKey) => ({ objectKey })),
      });
    const id = send([upload.objectKey]).attachments[0]?.id ?? '';
    expect(attachmentBytes(world, id).bytes.toString()).toBe('x');
    for (let count = 0; count < 11_000; count += 1) send([]);
    expect(() => attachmentBytes(world, id)).toThrow(`There is no attachment ${id}.`);
    expect([world.blobs.size, world.state.attachmentMessages.size]).toEqual([0, 0]);
  });
});
