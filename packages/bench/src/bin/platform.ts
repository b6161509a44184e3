// Runs the platform in a separate process, for `bench` and `soak`: `platform [kind]`.
import type { CommandLoadOptions } from '../platform/command-load.js';
import type { Dialect } from '../platform/dialect.js';
import { answerParent, type Answerers } from '../rounds/parent-port.js';

// Loads only what the selected platform needs.
const starts: Readonly<Record<string, () => Promise<Answerers>>> = {
  async 'bot-interface'() {
    const { botInterfaceDialect } = await import('../platform/bot-interface-dialect.js');
    return fakePlatform(botInterfaceDialect);
  },
  async discord() {
    const { discordDialect } = await import('../platform/discord-dialect.js');
    return fakePlatform(discordDialect);
  },
  async simulator() {
    const { startSimulatorPlatform } = await import('../platform/simulator-platform.js');
    const { port, token, identified, runCommands } = await startSimulatorPlatform();
    return {
      port: () => port,
      token: () => token,
      identified: () => identified,
      commands: runCommands,
    };
  },
};

async function fakePlatform(dialect: Dialect): Promise<Answerers> {
  const { startFakePlatform } = await import('../platform/fake-platform.js');
  const platform = await startFakePlatform(dialect);
  const { port } = platform;
  return {
    port: () => port,
    identified: () => platform.identified,
    commands: (options: CommandLoadOptions) => platform.runCommands(options),
    events: (count: number) => platform.sendEvents(count),
  };
}

const kind = process.argv[2] ?? 'bot-interface';
const start = starts[kind];
if (!start)
  throw new Error(`There is no platform "${kind}"; use one of ${Object.keys(starts).join(', ')}.`);
answerParent(await start());
