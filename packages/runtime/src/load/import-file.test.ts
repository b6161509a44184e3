import { describe, expect, it } from 'vitest';
import { loadModules } from '../../test/project-of.js';
import { withoutCommonJs } from './import-file.js';

const run = (): string => 'done';
const command = { description: 'Does x', run };

describe('withoutCommonJs', () => {
  it.each<[string, object, object]>([
    ['module.exports = command', { default: command }, { default: command }],
    [
      'the same, as Node.js 23 and its lexer give it',
      { default: command, 'module.exports': command, description: 'Does x', run },
      { default: command },
    ],
    [
      'exports.default and others',
      { default: { default: run, description: 'Does x' }, description: 'Does x' },
      { default: run, description: 'Does x' },
    ],
    ['module.exports = function', { default: run, 'module.exports': run }, { default: run }],
    ['nothing', { default: {} }, { default: {} }],
  ])('reads %s', (_, namespace, exports) => {
    expect(withoutCommonJs('commands/x.cjs', { ...namespace })).toEqual(exports);
    expect(withoutCommonJs('commands/x.cts', { ...namespace })).toEqual(exports);
  });

  it('leaves the exports of ES modules as they are', () => {
    const exports = { default: command, description: 'unknown here' };
    expect(withoutCommonJs('commands/x.ts', exports)).toBe(exports);
  });
});

describe('loading a project with CommonJS files', () => {
  it('takes commands, middleware and events from them', async () => {
    const middleware = (): void => {};
    const { project, problems } = await loadModules({
      'commands/_middleware.cjs': { default: middleware, 'module.exports': middleware },
      'commands/x.cjs': { default: command, 'module.exports': command, run },
      'commands/y.cjs': { default: { default: run, description: 'Does y' } },
      'events/ready.cjs': { default: run, 'module.exports': run },
    });
    expect(problems).toEqual([]);
    expect([...project.commands.keys()]).toEqual(['x', 'y']);
    expect(project.commands.get('x')?.middleware).toEqual([middleware]);
    expect(project.events.get('ready')).toHaveLength(1);
  });

  it('says what to do with a kind of file that Node.js cannot read', async () => {
    const error = Object.assign(new TypeError('Unknown file extension ".cts"'), {
      code: 'ERR_UNKNOWN_FILE_EXTENSION',
    });
    const { problems } = await loadModules({ 'commands/x.cts': error });
    expect(problems).toMatchObject([
      { code: 'E_MODULE_THREW', hint: 'Rename it to .ts, .mts, .js, .mjs or .cjs.' },
    ]);
  });
});
