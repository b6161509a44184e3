import { startSimulator } from '@virgule/simulator';
import { createGateway } from '@virgule/client/gateway';
import { createRest } from '@virgule/client/rest';
import type { Log } from '@virgule/core/log';
import { silentLog } from '@virgule/core/log';
import { expect, it, onTestFinished } from 'vitest';

/** Talks to the simulator, and returns the warnings about these facts. */
async function warningsWith(values: Readonly<Record<string, unknown>>) {
  const platform = await startSimulator({ pageDir: null });
  onTestFinished(() => platform.close());
  const warnings: unknown[] = [];
  const log: Log = { ...silentLog, warn: (data) => void ('fact' in data && warnings.push(data)) };
  const facts = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, { value }]),
  );
  const { token, baseUrl, gatewayUrl } = platform;
  const options = { token, baseUrl, gatewayUrl, log, profile: { measured: { facts } } };
  await using rest = createRest(options);
  await using gateway = createGateway(options);
  await gateway.connect({ dispatch: () => {} });
  const { id } = platform.channel();
  for (const content of ['one', 'two']) await rest.messages.send(id, { content });
  await rest.commands.replace([{ name: 'hello', description: 'Hello', options: [] }]);
  platform.run({ rawInput: '/hello' });
  platform.react({ messageId: platform.sendMessage({ content: 'x' }).id, emoji: '🎉' });
  await rest.messages.list(id);
  const file = { fileName: 'a', contentType: 'text/plain', size: 1 };
  await rest.attachments.openUpload(id, file);
  const body = { content: 'x'.repeat(2_001) };
  await rest.request('POST', `/channels/${id}/messages`, { body }).catch(() => {});
  return warnings;
}

it('warns once for each measured fact that an answer contradicts', async () => {
  const wrong = {
    messageResponse: 'empty',
    messageEvent: 'unknown-fields',
    commandUser: 'userId',
    uploadMaxBytes: 7,
    uploadMethod: 'PUT',
    'refusals.validationStatus': 422,
    'heartbeat.intervalMs': 1_000,
    syncResponse: 'wrapped',
    unicodeEmojiKind: 'emoji',
    pageMax: 2,
  };
  const seen = {
    messageResponse: 'message',
    messageEvent: 'with-server-id',
    commandUser: 'absent',
    uploadMaxBytes: 25 * 1024 * 1024,
    uploadMethod: 'POST',
    'refusals.validationStatus': 400,
    'heartbeat.intervalMs': 25_000,
    syncResponse: 'list',
    unicodeEmojiKind: 'unicode',
    pageMax: 4,
  };
  const warnings = await warningsWith(wrong);
  expect(warnings).toHaveLength(10);
  for (const [fact, value] of Object.entries(seen))
    expect(warnings).toContainEqual({
      fact,
      measured: wrong[fact as keyof typeof wrong],
      seen: value,
    });
  expect(await warningsWith({ ...seen, pageMax: 100 })).toEqual([]);
});
