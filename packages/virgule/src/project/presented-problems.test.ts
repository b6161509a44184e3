import { join } from 'node:path';
import { VirguleError } from '@virgule/core/errors';
import { createRedactor } from '@virgule/core/log';
import { expect, it } from 'vitest';
import { createTestProject } from '../../test/test-project.js';
import { presented } from './presented-problems.js';

const problemIn = (file: string, code = 'E_DESCRIPTION'): VirguleError =>
  new VirguleError({ code, kind: 'user', message: `${code} in ${file}`, location: { file } });

it.each([
  ['commands/x.ts', 'defineTask', 'tasks/'],
  ['commands/tasks/x.ts', 'defineTask', 'tasks/'],
  ['src/commands/x.ts', 'defineEvent', 'events/'],
  ['commands/x.ts', 'defineMiddleware', '_middleware.ts'],
  ['commands/_middleware.ts', 'defineErrorHandler', '_error.ts'],
  ['events/ready.ts', 'defineCommand', 'commands/'],
  ['src/tasks/x.ts', 'defineCommand', 'commands/'],
])('replaces the problems of %s, which calls %s, with one', async (file, call, home) => {
  const before = `// Not export default defineOther().\n/*\nexport default ${call}(0);\n*/\n`;
  const code = `${before}export default ${call}();`;
  await using project = await createTestProject({ [file]: code });
  const others = [problemIn('a/gone.ts'), problemIn(file, 'E_SYNTAX')];
  const given = [problemIn(file), problemIn(join(project.root, file), 'E_SETTING'), ...others];
  given.push(problemIn(file, 'E_UNKNOWN_KEY'));
  expect(presented(given, project.root, createRedactor())).toMatchObject([
    ...others.map(({ code, message }) => ({ code, message })),
    {
      code: 'E_MISPLACED',
      message: `${file} calls ${call}, which belongs in ${home}.`,
      hint: `Move the code to ${home}.`,
      location: { file, line: 5, column: 1 },
    },
  ]);
});

it.each([
  ['commands/x.ts', 'defineCommand'],
  ['src/events/ready.ts', 'defineEvent'],
  ['tasks/commands/x.ts', 'defineTask'],
  ['commands/a/_middleware.js', 'defineMiddleware'],
  ['src/commands/_error.ts', 'defineErrorHandler'],
  ['commands/x.ts', 'defineTasks'],
  ['commands/x.ts', 'defineTask() {}\n*/\nexport default defineCommand'],
  ['commands/x.ts', 'constructor'],
])('keeps the problems of %s, which calls %s', async (file, call) => {
  await using project = await createTestProject({ [file]: `export default ${call}();` });
  const given = [problemIn(file), problemIn(file, 'E_UNKNOWN_KEY')];
  expect(presented(given, project.root, createRedactor())).toEqual(given);
});
