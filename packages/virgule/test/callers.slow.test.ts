// Runs the commands of all templates for every caller: only the way of the answer differs.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lineOfCall, type Command } from '@virgule/runtime/project';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLoader } from '../src/loader/create-loader.js';
import type { RunOptions, TestRun } from '../src/testing.js';
import { startTestBot, type StartedBot } from '../src/testing/create-test-bot.js';

const TEMPLATES = fileURLToPath(new URL('../../../templates', import.meta.url));
const CALLERS = ['slash', 'message', 'code', 'model'] as const;
type Caller = NonNullable<RunOptions['via']>;
const INPUTS = 100;
/** Users answer these commands, which the platform does not show for code and models. */
const ASKING = new Set(['poll', 'note-clear']);

/** Returns an import function that lets messages and models run each command of a template. */
function importOpen(root: string) {
  const loader = createLoader({ root });
  onTestFinished(() => loader.close());
  return async (file: string) => {
    // The source of @virgule/voice has no build that the loader finds here.
    const load = root.endsWith('music') ? (path: string) => import(path) : loader.importModule;
    const { default: main, ...named }: Record<string, unknown> = { ...(await load(file)) };
    const isCommand = file.startsWith(join(root, 'commands')) && !/[\\/]_\w+\.\w+$/.test(file);
    if (!isCommand) return { ...named, default: main };
    const definition = typeof main === 'function' ? { ...named, run: main } : { ...Object(main) };
    return { default: { ...definition, messages: true, tool: 'reads' } };
  };
}

/** Returns the parts of a run that no caller changes. */
function shared(run: TestRun, caller: Caller) {
  const texts = [run.content, ...run.followUps];
  const isAnswer = ({ endpoint, body }: TestRun['calls'][number]): boolean => {
    if (endpoint?.startsWith('interactions.')) return caller === 'slash';
    const { content, replyToMessageId } = Object(body) as Record<string, unknown>;
    const isEdit = endpoint === 'messages.edit' || endpoint === 'channels.typing';
    return (
      caller === 'message' &&
      (isEdit || replyToMessageId !== undefined || texts.includes(String(content)))
    );
  };
  return {
    result: run.result,
    // A model gets no cause of an error, and a refusal of a message names the command with another prefix.
    texts:
      run.result === 'failed' ? [] : texts.map((text) => text?.replace(/(Usage: |use |^)!/, '$1/')),
    files: run.files,
    calls: run.calls.filter((call) => !isAnswer(call)).map(({ endpoint }) => endpoint),
  };
}

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('--n=1', '"', ' a "b" ', '\n/x', '`', '-- ', '<@x>', '__proto__', '"\\"'),
);

/** Generates options of a command. About one value in ten is invalid. */
function optionsOf({ options }: Command['spec']): fc.Arbitrary<Record<string, unknown>> {
  const entries = options.map(({ key, expected, choiceValues }) => {
    const { kind, bounds, choices = [] } = expected;
    const { minimum: min = -1_000, maximum: max = 1_000 } = bounds;
    const number = fc.integer({ min: Math.ceil(min), max: Math.floor(max) });
    const byKind: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
      integer: number,
      number,
      boolean: fc.boolean(),
      duration: fc.integer({ min: 1, max: 48 }).map((hours) => `${hours}h`),
      channel: fc.uuid().map((id) => `<#${id}>`),
    };
    const values = choiceValues ?? choices;
    const valid = values.length > 0 ? fc.constantFrom<unknown>(...values) : (byKind[kind] ?? text);
    return [key, fc.oneof({ arbitrary: valid, weight: 9 }, { arbitrary: text, weight: 1 })];
  });
  const requiredKeys = options.flatMap(({ required, key }) => (required ? [key] : []));
  return fc.record(Object.fromEntries(entries), { requiredKeys });
}

/** Returns the options with the channel of the run in place of others, which a model cannot name. */
const inChannel = (values: object, channelId: string): Record<string, unknown> =>
  JSON.parse(JSON.stringify(values).replaceAll(/<#[0-9a-f-]{36}>/g, `<#${channelId}>`));

describe.each(readdirSync(TEMPLATES))('the template %s', (template) => {
  it(`answers ${INPUTS} inputs of each command equally to every caller`, async () => {
    const root = join(TEMPLATES, template);
    const bots: (readonly [Caller, StartedBot])[] = [];
    for (const caller of CALLERS) {
      const bot = await startTestBot({
        root,
        importModule: importOpen(root),
        strict: false,
        random: () => 0.5,
        env: {},
      });
      onTestFinished(() => bot.close());
      bots.push([caller, bot]);
    }
    const channelId = bots[0]?.[1].platform.channel().id ?? '';
    let compared = 0;
    const commands = [...(bots[0]?.[1].project.commands.values() ?? [])];
    for (const command of commands.filter(({ name }) => !ASKING.has(name))) {
      for (const drawn of fc.sample(optionsOf(command.spec), { numRuns: INPUTS, seed: 1 })) {
        const values = inChannel(drawn, channelId);
        const { line, refused } = lineOfCall(command, values);
        const runs = bots.map(async ([caller, bot]) => {
          // Users cannot type such values.
          if (refused && (caller === 'slash' || caller === 'message')) return undefined;
          const running =
            caller === 'slash' ? bot.run(line) : bot.run(command.name, values, { via: caller });
          await bot.clock.advance('1m');
          return shared(await running, caller);
        });
        const [expected, ...others] = (await Promise.all(runs)).filter((run) => run !== undefined);
        for (const each of others)
          expect([command.name, values, each]).toEqual([command.name, values, expected]);
        expect(refused === undefined || expected?.result === 'input').toBe(true);
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThanOrEqual(INPUTS);
  });
});
