import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { orUndefined } from '@virgule/core/objects';
import type { MediaReceiver } from '@virgule/simulator';

/** Returns the receiver of the bot's audio; `undefined` if the project does not have `@virgule/voice`. */
export async function openVoiceReceiver(root: string): Promise<MediaReceiver | undefined> {
  const { resolve } = createRequire(join(root, 'package.json'));
  const file = orUndefined(() => resolve('@virgule/voice/receiver'));
  if (file === undefined) return undefined;
  // Declares types of a package that is no dependency of this one.
  const { createReceiver } = (await import(pathToFileURL(file).href)) as {
    readonly createReceiver: () => Promise<MediaReceiver | undefined>;
  };
  return createReceiver();
}
