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
  ])('with %j is %s', (env, link) => {
    expect(editorLink('/my bot', env, expect.unreachable)).toBe(link);
  });

  it.each(['vim', 'javascript:{path}'])('reports that it is not %s', (editor) => {
    const notices: string[] = [];
    const link = editorLink('/my bot', { VIRGULE_EDITOR: editor }, (text) => notices.push(text));
    expect(link).toBeUndefined();
    expect(notices).toEqual([expect.stringContaining(`VIRGULE_EDITOR is ${editor}: use vscode,`)]);
  });
});
