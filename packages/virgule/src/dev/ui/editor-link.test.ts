import { describe, expect, it } from 'vitest';
import { editorLink } from './editor-link.js';

describe('editorLink()', () => {
  it.each([
    [{}, undefined],
    [{ TERM_PROGRAM: 'vscode' }, 'vscode://file/my%20bot/{file}:{line}:{column}'],
    [
      { TERM_PROGRAM: 'vscode', CURSOR_TRACE_ID: '1' },
      'cursor://file/my%20bot/{file}:{line}:{column}',
    ],
    [{ TERM_PROGRAM: 'zed' }, 'zed://file/my%20bot/{file}:{line}:{column}'],
    [
      { TERMINAL_EMULATOR: 'JetBrains-JediTerm' },
      'idea://open?file=/my%20bot/{file}&line={line}&column={column}',
    ],
    [{ TERM_PROGRAM: 'vscode', VIRGULE_EDITOR: 'none' }, undefined],
    [{ VIRGULE_EDITOR: 'zed' }, 'zed://file/my%20bot/{file}:{line}:{column}'],
    [
      { VIRGULE_EDITOR: 'txmt://open?url=file://{path}' },
      'txmt://open?url=file:///my%20bot/{file}',
    ],
    [{ VIRGULE_EDITOR: 'vim' }, null],
    [{ VIRGULE_EDITOR: 'javascript:{path}' }, null],
  ])('with %j is %s', (env, link) => {
    expect(editorLink('/my bot', env)).toBe(link);
  });
});
