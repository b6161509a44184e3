import { execFile, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';

const TEMPLATES = fileURLToPath(new URL('../../../templates', import.meta.url));
const templates = await readdir(TEMPLATES);
const read = (...path: string[]): Promise<string> => readFile(join(TEMPLATES, ...path), 'utf8');

/** Returns the paths of the files of a template, without installed packages. */
async function filesOf(name: string): Promise<string[]> {
  const folder = join(TEMPLATES, name);
  const entries = await readdir(folder, { withFileTypes: true });
  const lists = entries.map(async (entry): Promise<string[]> => {
    if (entry.name === 'node_modules') return [];
    const within = entry.isDirectory()
      ? await readdir(join(folder, entry.name), { recursive: true })
      : [];
    return [entry.name, ...within.map((path) => `${entry.name}/${path}`)];
  });
  return (await Promise.all(lists)).flat();
}

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

describe.each(templates)('the template %s', (name) => {
  it('has a README of at most 30 lines, whose files and scripts exist', async () => {
    const text = await read(name, 'README.md');
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(30);
    const files = await filesOf(name);
    const paths = [...text.matchAll(/^\| `([^`]+)`/gm)].map(([, path = '']) => path);
    const isThere = (path: string): boolean =>
      files.some((file) => file.endsWith(path.replace(/\/$/, '')));
    expect(paths.filter((path) => !isThere(path))).toEqual([]);
    const { scripts } = JSON.parse(await read(name, 'package.json')) as {
      readonly scripts: Record<string, string>;
    };
    for (const [, script = ''] of text.matchAll(/`npm (?:run )?(\w+)`/g))
      expect(scripts).toHaveProperty(script);
  });

  it('has settings for editors, which its own files follow', async () => {
    const [, ...sections] = (await read(name, '.editorconfig')).split(/^\[(.+)\]$/m);
    const settings = (section = ''): Record<string, string> =>
      Object.fromEntries(
        [...section.matchAll(/^(\w+) = ([\w-]+)$/gm)].map(([, key, value]) => [key, value]),
      );
    expect(settings(sections[1])).toEqual({
      charset: 'utf-8',
      end_of_line: 'lf',
      indent_size: '2',
      indent_style: 'space',
      insert_final_newline: 'true',
      trim_trailing_whitespace: 'true',
    });
    const texts = (await filesOf(name)).filter((path) => /\.(?:[jt]s|json|md|yml)$/.test(path));
    for (const path of texts) {
      const text = await read(name, path);
      const follows = text.endsWith('\n') && !/\t|\r| $/m.test(text);
      expect([path, follows]).toEqual([path, true]);
    }
    const { recommendations } = JSON.parse(await read(name, '.vscode/extensions.json')) as {
      readonly recommendations: readonly string[];
    };
    // VS Code does not read .editorconfig without one, and shows no tests without the other.
    expect(recommendations).toEqual(['editorconfig.editorconfig', 'vitest.explorer']);
  });

  it('has a systemd unit that systemd takes', async ({ skip }) => {
    skip(!hasSystemd, 'systemd-analyze is not installed here');
    const folder = await mkdtemp(join(tmpdir(), 'virgule-unit-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const unit = join(folder, 'bot.service');
    const text = await read(name, 'bot.service');
    // The program has to exist where it is verified.
    await writeFile(unit, text.replace('/usr/bin/node', process.execPath));
    const { stderr } = await promisify(execFile)('systemd-analyze', ['verify', unit]);
    // Other units of this machine may be complained about as well.
    expect(stderr.split('\n').filter((line) => line.includes('bot.service'))).toEqual([]);
  });

  it('has a systemd unit that restarts the bot, and runs it without rights', async () => {
    const lines = (await read(name, 'bot.service')).split('\n');
    for (const line of [
      'ExecStart=/usr/bin/node /opt/bot/dist/bot.mjs',
      'Restart=on-failure',
      'KillSignal=SIGTERM',
      'DynamicUser=yes',
      'NoNewPrivileges=yes',
    ])
      expect(lines).toContain(line);
    const seconds = Number(/^TimeoutStopSec=(\d+)$/m.exec(lines.join('\n'))?.[1]);
    // Handlers get 10 s, and 5 s for their final reply.
    expect(seconds).toBeGreaterThan(15);
  });

  it('has a Dockerfile of two stages, whose last one does not run as root and holds the build', async () => {
    const stages = (await read(name, 'Dockerfile')).split(/^(?=FROM )/m).slice(1);
    expect(stages).toHaveLength(2);
    const [, last = ''] = stages;
    expect(last).toMatch(/^USER node$/m);
    expect(last).toMatch(/^CMD \["node", "dist\/bot\.mjs"\]$/m);
    expect(last).toContain('/healthz');
    const copied = [...last.matchAll(/^COPY (.*)$/gm)].map(([, what]) => what);
    // The songs are files of the bot's owner, and no part of the build.
    const own = name === 'music' ? ['songs songs'] : [];
    expect(copied).toEqual(['--from=build /bot/dist dist', ...own]);
  });

  it('builds in its Dockerfile with a script that it has', async () => {
    const scripts = [...(await read(name, 'Dockerfile')).matchAll(/npm run (\w+)/g)];
    const { scripts: known } = JSON.parse(await read(name, 'package.json')) as {
      readonly scripts: Record<string, string>;
    };
    expect(scripts.length).toBeGreaterThan(0);
    for (const [, script] of scripts) expect(known).toHaveProperty(script ?? '');
  });

  it('keeps secrets and what is installed out of the image', async () => {
    const ignored = (await read(name, '.dockerignore')).split('\n');
    for (const path of ['node_modules', 'dist', '.virgule', '.git', '**/.env*', '!.env.example'])
      expect(ignored).toContain(path);
  });

  it('keeps every file with secrets out of git, and the example in it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'virgule-ignored-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const git = (...args: string[]) => promisify(execFile)('git', args, { cwd: folder });
    await git('init', '--quiet');
    await writeFile(join(folder, '.gitignore'), await read(name, '_gitignore'));
    const secret = [
      '.env',
      '.env.local',
      '.env.development',
      '.env.test',
      '.env.production',
      '.env.production.local',
      '.envrc',
      'lib/.env.production',
      '.virgule/chat.jsonl',
    ];
    await mkdir(join(folder, 'lib'));
    await mkdir(join(folder, '.virgule'));
    for (const path of [...secret, '.env.example']) await writeFile(join(folder, path), 'x');
    const { stdout } = await git('ls-files', '--others', '--exclude-standard');
    expect(stdout.trim().split('\n')).toEqual(['.env.example', '.gitignore']);
  });
});
