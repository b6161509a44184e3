import { SourceMap, type SourceMapPayload } from 'node:module';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { startDev, type RunningDev } from './running-dev.js';
import { until } from './until.js';

interface ProtocolMessage {
  readonly id?: number;
  readonly method?: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- what a debugger says is checked by the expectations.
  readonly params?: any;
  // oxlint-disable-next-line typescript/no-explicit-any -- as above.
  readonly result?: any;
}

/** A debugger on the bot's process. */
async function attach(dev: RunningDev) {
  const address = await until(() => {
    const lines = dev.reports.map(({ line }) => (typeof line === 'string' ? line : ''));
    const found = lines.findLast((line) => line.startsWith('Debugger listening on '));
    expect(found).toBeDefined();
    return found?.replace('Debugger listening on ', '') ?? '';
  });
  const socket = new WebSocket(address);
  await once(socket, 'open');
  const received: ProtocolMessage[] = [];
  socket.on('message', (data: Buffer) =>
    received.push(JSON.parse(data.toString()) as ProtocolMessage),
  );
  let id = 0;
  async function ask(method: string, params: object = {}): Promise<ProtocolMessage['result']> {
    const asked = (id += 1);
    socket.send(JSON.stringify({ id: asked, method, params }));
    return until(() => {
      const answer = received.find((message) => message.id === asked);
      expect(answer).toBeDefined();
      return answer?.result;
    });
  }
  const event = (method: string) =>
    until(() => {
      const found = received.find((message) => message.method === method);
      expect(found).toBeDefined();
      return found?.params;
    });
  /** The newest script that was made from a file, with its map. */
  function script(name: string) {
    const parsed = received
      .filter(({ method }) => method === 'Debugger.scriptParsed')
      .map(({ params }) => params)
      .filter(({ url }) => url.replace(/(\?|%3F)v=\d+$/, '').endsWith(name))
      // They are reported in no order.
      .toSorted((one, other) => Number(one.scriptId) - Number(other.scriptId))
      .at(-1);
    const [, data = ''] = (parsed.sourceMapURL as string).split('base64,');
    const payload = JSON.parse(Buffer.from(data, 'base64').toString()) as SourceMapPayload;
    return { parsed, map: new SourceMap(payload) };
  }
  return { ask, event, script, close: () => socket.terminate() };
}

const HELLO = `type Word = string;

interface Unused {
  readonly a: Word;
}

export default {
  description: 'Hello',
  run: (): Word => {
    const word: Word = 'hello';
    return word + '!';
  },
};`;
/** Number of the line with `return`, counted from 1. */
const LINE = 11;

describe('virgule dev --inspect', () => {
  it('lets a debugger stop on a line of the source for as long as it needs', async () => {
    await using dev = await startDev(
      { 'commands/hello.ts': HELLO },
      { args: ['--port', '0', '--inspect=0'] },
    );
    for (const [round, text] of [HELLO, HELLO.replace("'hello'", "'good day'")].entries()) {
      if (round > 0) {
        await dev.project.write('commands/hello.ts', text);
        await dev.reported('reload');
      }
      const debug = await attach(dev);
      await debug.ask('Debugger.enable');
      const { parsed, map } = debug.script('commands/hello.ts');
      const lines = Array.from({ length: parsed.endLine + 1 }, (_, line) => line);
      const lineNumber = lines.find((line) => {
        const entry = map.findEntry(line, 8);
        return 'originalLine' in entry && entry.originalLine === LINE - 1;
      });
      const { breakpointId } = await debug.ask('Debugger.setBreakpoint', {
        location: { scriptId: parsed.scriptId, lineNumber },
      });
      expect(breakpointId).toBeDefined();

      const answered = dev.say('/hello');
      const { callFrames } = await debug.event('Debugger.paused');
      const { location, callFrameId } = callFrames[0];
      const stopped = map.findEntry(location.lineNumber, location.columnNumber);
      expect(stopped).toMatchObject({
        originalLine: LINE - 1,
        originalSource: expect.stringMatching(/commands\/hello\.ts$/),
      });
      const { result } = await debug.ask('Debugger.evaluateOnCallFrame', {
        callFrameId,
        expression: 'word',
      });
      expect(result.value).toBe(round === 0 ? 'hello' : 'good day');
      await debug.ask('Debugger.removeBreakpoint', { breakpointId });
      await debug.ask('Debugger.resume');
      expect(await answered).toBe(`${result.value}!`);
      debug.close();
    }
  });
});
