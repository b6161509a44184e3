import { hash } from 'node:crypto';
import type { Bundle } from './bundle.js';
import { ENTRY } from './bundle-graph.js';

/** The bot of a build with packages outside, next to what starts it. */
const PROGRAM = 'program.mjs';

/** Returns the program of the bot in a bundle: `bot.mjs`, unless that only starts it. */
export const programOf = ({ outputs }: Pick<Bundle, 'outputs'>): Uint8Array =>
  (outputs.get(PROGRAM) ?? outputs.get(ENTRY))?.code ?? new Uint8Array();

/**
 * Moves the bot into a file of its own if packages have to be installed next to it: `bot.mjs` imports that file, and
 * says what to install if one is missing. Node.js resolves static imports before any code of a file runs.
 */
export function withLauncher(bundle: Bundle): Bundle {
  const { outputs, leftOut } = bundle;
  const program = outputs.get(ENTRY);
  if (!program || leftOut.size === 0) return bundle;
  const moved = Buffer.from(program.code)
    .toString('utf8')
    .replace(/^\/\/# sourceMappingURL=.*$/m, `//# sourceMappingURL=${PROGRAM}.map`);
  const launcher = launcherSource([...leftOut.keys()], hash('sha256', moved));
  return {
    ...bundle,
    outputs: new Map([
      ...outputs,
      [ENTRY, { code: Buffer.from(launcher), map: Buffer.from(NO_MAP) }],
      [PROGRAM, { code: Buffer.from(moved), map: program.map }],
    ]),
  };
}

const NO_MAP = '{"version":3,"sources":[],"sourcesContent":[],"names":[],"mappings":""}\n';

/** With the hash of the program, the hash of this file is that of the build. */
const launcherSource = (
  packages: readonly string[],
  hash: string,
): string => `// Starts ${PROGRAM}, ${hash}
const packages = ${JSON.stringify(packages)};
try {
  await import('./${PROGRAM}');
} catch (error) {
  const [, missing = ''] = /^Cannot find package '([^']+)'/.exec(error?.message) ?? [];
  if (error?.code !== 'ERR_MODULE_NOT_FOUND' || !packages.includes(missing)) throw error;
  const { relative } = await import('node:path');
  const folder = relative(process.cwd(), import.meta.dirname) || '.';
  console.error(\`The package \${missing} is not installed next to the bot. It has native code or reads files of its own, so it cannot be part of the bundle.
Try:  npm install --omit=dev --prefix \${folder}\`);
  process.exit(1);
}
`;
