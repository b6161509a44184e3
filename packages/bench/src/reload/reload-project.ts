import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Edit } from './reload-subject.js';

const THIS_CHECKOUT = fileURLToPath(new URL('../../../..', import.meta.url));

/** The folder of a bot with many command files, and the measured edits. */
export interface ReloadProject {
  readonly root: string;
  readonly files: number;
  /** The command whose file is edited. It answers with the texts of its file, the helper and the environment. */
  readonly command: string;
  readonly save: (edit: Edit, text: string) => void;
  write(file: string, text: string): void;
  remove(): void;
}

const EDITED = 'c0';
/** Length of the chain of imports of the helper. */
const DEPTH = 10;

const commandText = (name: string, text: string): string => `// ${name}
import { helper } from '../lib/helper.js';
import words from '../lib/words.json' with { type: 'json' };

const text: string = ${JSON.stringify(text)};

export default {
  description: ${JSON.stringify(`The command ${name}`)},
  run: (): string => [text, helper(), process.env['BENCH_TEXT'] ?? words.none].join(' '),
};
`;

const helperText = (text: string): string => `import { depth } from './depth0.js';

export const helper = (): string => ${JSON.stringify(text)} + String(depth).slice(0, 0);
`;

/** Writes a project for the packages of a checkout, this one by default. */
export function createReloadProject(files: number, checkout = THIS_CHECKOUT): ReloadProject {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'virgule-reload-')));
  const write = (file: string, text: string): void => writeFileSync(join(root, file), text);
  for (const folder of ['commands', 'lib', 'node_modules']) mkdirSync(join(root, folder));
  symlinkSync(join(checkout, 'packages/virgule'), join(root, 'node_modules/virgule'));
  write('package.json', '{ "name": "reload-bench", "type": "module" }');
  write('lib/words.json', '{ "none": "none" }');
  for (let n = 0; n < DEPTH; n += 1) {
    const next = n + 1 < DEPTH ? `import { depth as next } from './depth${n + 1}.js';\n` : '';
    write(`lib/depth${n}.ts`, `${next}export const depth: number = ${next ? 'next + 1' : '1'};\n`);
  }
  const project: ReloadProject = {
    root,
    files,
    command: EDITED,
    save(edit, text) {
      if (edit === 'command') write(`commands/${EDITED}.ts`, commandText(EDITED, text));
      else if (edit === 'helper') write('lib/helper.ts', helperText(text));
      else write('.env', `BENCH_TEXT=${text}\n`);
    },
    write,
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
  project.save('helper', 'helper');
  project.save('restart', 'none');
  for (let n = 0; n < files; n += 1) write(`commands/c${n}.ts`, commandText(`c${n}`, 'first'));
  return project;
}
