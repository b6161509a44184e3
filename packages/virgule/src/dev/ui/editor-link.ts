import { pathToFileURL } from 'node:url';

/** URL templates that open a file at a place, by editor. */
const EDITORS: Readonly<Record<string, string>> = {
  vscode: 'vscode://file{path}:{line}:{column}',
  'vscode-insiders': 'vscode-insiders://file{path}:{line}:{column}',
  vscodium: 'vscodium://file{path}:{line}:{column}',
  cursor: 'cursor://file{path}:{line}:{column}',
  windsurf: 'windsurf://file{path}:{line}:{column}',
  zed: 'zed://file{path}:{line}:{column}',
  idea: 'idea://open?file={path}&line={line}&column={column}',
  webstorm: 'webstorm://open?file={path}&line={line}&column={column}',
};

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Returns the URL template, with `{file}`, `{line}` and `{column}`, of the editor in `VIRGULE_EDITOR` or of this
 * terminal; `undefined` if there is none.
 * @param notice - receives the reason why `VIRGULE_EDITOR` is invalid.
 */
export function editorLink(root: string, env: Env, notice: (text: string) => void) {
  const wanted = env['VIRGULE_EDITOR'] || editorOfTerminal(env);
  if (wanted === undefined || wanted === 'none') return undefined;
  const address = EDITORS[wanted] ?? wanted;
  const isValid = /^(?!javascript:|data:)[a-z][a-z\d+.-]*:.*\{path\}/i.test(address);
  if (!isValid) {
    const names = Object.keys(EDITORS).join(', ');
    notice(`VIRGULE_EDITOR is ${wanted}: use ${names}, none, or an address with {path}.`);
    return undefined;
  }
  // In a URL, the path of a Windows drive begins with a slash.
  const path = pathToFileURL(root).pathname.replace(/\/$/, '');
  return address.replaceAll('{path}', () => `${path}/{file}`);
}

function editorOfTerminal(env: Env): string | undefined {
  if (env['TERM_PROGRAM'] === 'vscode') return env['CURSOR_TRACE_ID'] ? 'cursor' : 'vscode';
  if (env['TERM_PROGRAM'] === 'zed') return 'zed';
  return env['TERMINAL_EMULATOR'] === 'JetBrains-JediTerm' ? 'idea' : undefined;
}
