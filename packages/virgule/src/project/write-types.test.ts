import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { writeTypes } from './write-types.js';

const NOTHING = { config: null, services: null, tasks: [] };

function createFolder() {
  const root = mkdtempSync(join(tmpdir(), 'virgule-types-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const file = join(root, '.virgule/types.d.ts');
  return { root, file, text: () => readFileSync(file, 'utf8').replace(/^[^]*files: /, '') };
}

it('declares the files of the settings, the services and the tasks', () => {
  const { root, text } = createFolder();
  const tasks = [{ name: 'mail-send', file: 'src/tasks/mail/send.tsx' }];
  writeTypes(root, { config: 'virgule.config.mts', services: 'src/services.js', tasks });
  expect(text()).toBe(`{
      config: typeof import("../virgule.config.mjs");
      services: typeof import("../src/services.js");
      tasks: {
        "mail-send": typeof import("../src/tasks/mail/send.js");
      };
    };
  }
}
`);
});

it('writes only changes, and no file for a project that needs none', () => {
  const { root, file, text } = createFolder();
  writeTypes(root, NOTHING);
  expect(() => statSync(file)).toThrow('ENOENT');
  writeTypes(root, { ...NOTHING, services: 'services.ts' });
  const { ino } = statSync(file);
  writeTypes(root, { ...NOTHING, services: 'services.ts' });
  expect(statSync(file).ino).toBe(ino);
  writeTypes(root, NOTHING);
  expect(text()).not.toContain('services');
});

it('returns a warning if the file cannot be written', () => {
  const { root, file } = createFolder();
  mkdirSync(file, { recursive: true });
  expect(writeTypes(root, { ...NOTHING, config: 'virgule.config.ts' })).toMatchObject({
    code: 'E_STATE_UNWRITABLE',
    message: expect.stringMatching(/^\.virgule\/types\.d\.ts cannot be written: /),
  });
});
