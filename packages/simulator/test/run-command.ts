import type { SimInteraction } from '@virgule/core/simulator-api';
import type { Platform } from './open-platform.js';

/** Registers /ask and runs it as Ada in #general. */
export async function runCommand(platform: Platform): Promise<SimInteraction> {
  await platform.register('ask');
  return platform.simulator.run({ rawInput: '/ask why' });
}
