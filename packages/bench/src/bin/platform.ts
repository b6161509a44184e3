// The platform in a process of its own, for `bench` and `soak`.
import { startFakePlatform } from '../platform/fake-platform.js';
import type { CommandLoadOptions } from '../platform/command-load.js';
import { cpuMicros } from '../rounds/cpu.js';
import { answerParent } from '../rounds/parent-port.js';

const platform = await startFakePlatform();

answerParent({
  port: () => platform.port,
  identified: () => platform.identified,
  cpu: cpuMicros,
  commands: (options: CommandLoadOptions) => platform.runCommands(options),
  events: (count: number) => platform.sendEvents(count),
});
