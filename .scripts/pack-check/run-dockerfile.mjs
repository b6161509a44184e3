import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  writeFileSync,
} from 'node:fs';
import { join, relative, sep } from 'node:path';
import { expect, run } from './run-or-throw.mjs';

/**
 * Does what `docker build` does with a Dockerfile, without containers: each stage is a folder, in which `RUN` runs on
 * this machine. Shows that the steps are right and complete, not that the base image has what they need.
 *
 * @param {string} context folder with the Dockerfile
 * @param {string} work empty folder for the stages
 * @returns {Promise<{ built: string, folder: string, env: Record<string, string>, command: string[], health: string[] }>}
 *   the folder of the first stage, and what the last one runs
 */
export async function runDockerfile(context, work) {
  /** @type {{ name: string, root: string, folder: string, env: Record<string, string> }[]} */
  const stages = [];
  let command = [];
  let health = [];
  for (const line of instructionsOf(readFileSync(join(context, 'Dockerfile'), 'utf8'))) {
    const [, name, value] = /^(\w+)\s+([^]+)$/.exec(line) ?? [];
    const stage = stages.at(-1);
    if (name === 'FROM') {
      const root = join(work, `stage-${stages.length}`);
      mkdirSync(root);
      stages.push({ name: / AS (\w+)$/.exec(value)?.[1] ?? '', root, folder: root, env: {} });
    } else if (name === 'WORKDIR') {
      stage.folder = join(stage.root, value);
      mkdirSync(stage.folder, { recursive: true });
    } else if (name === 'ENV') {
      for (const pair of value.split(' ')) stage.env[pair.split('=')[0]] = pair.split('=')[1];
    } else if (name === 'COPY') copy(value, { stage, stages, context });
    else if (name === 'RUN') {
      const path = `${withoutOwners(work)}:${process.env.PATH}`;
      await run(['sh', '-c', value], { cwd: stage.folder, env: { ...stage.env, PATH: path } });
    } else if (name === 'HEALTHCHECK') health = JSON.parse(value.slice(value.indexOf('[')));
    else if (name === 'CMD') command = JSON.parse(value);
    else
      expect(
        name === 'USER',
        `the Dockerfile has an instruction that this check does not know: ${line}`,
      );
  }
  const { folder, env } = stages.at(-1);
  return { built: stages[0].folder, folder, env, command, health };
}

const instructionsOf = (text) =>
  text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '');

/** Returns a folder with a `chown` that does nothing: the users of the image are not on this machine. */
function withoutOwners(work) {
  const bin = join(work, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'chown'), '#!/bin/sh\n');
  chmodSync(join(bin, 'chown'), 0o755);
  return bin;
}

function copy(value, { stage, stages, context }) {
  const from = /^--from=(\w+) /.exec(value)?.[1];
  const words = value.replace(/^--from=\w+ /, '').split(' ');
  const target = words.pop();
  const source = stages.find(({ name }) => from !== undefined && name === from)?.root ?? context;
  const isIgnored = from === undefined ? ignoredIn(context) : () => false;
  for (const word of words) {
    const found = word.includes('*')
      ? readdirSync(source).filter((name) => patternOf(word).test(name))
      : [word];
    for (const path of found) {
      expect(existsSync(join(source, path)), `COPY ${value}: there is no ${path}`);
      const to = target.endsWith('/') ? join(target, path) : target;
      cpSync(join(source, path), join(stage.folder, to), {
        recursive: true,
        filter: (file) => !isIgnored(relative(source, file).split(sep).join('/')),
      });
    }
  }
}

/** Returns what the last matching line of `.dockerignore` says about a path. */
function ignoredIn(context) {
  const rules = readFileSync(join(context, '.dockerignore'), 'utf8').trim().split('\n');
  const patterns = rules.map((rule) => {
    return { isOut: !rule.startsWith('!'), pattern: patternOf(rule.replace(/^!/, '')) };
  });
  return (path) => patterns.findLast(({ pattern }) => pattern.test(path))?.isOut ?? false;
}

/** @param {string} path with `*`, and with `**` for folders at its start */
const patternOf = (path) => {
  const literal = path.replaceAll('.', '\\.');
  const source = literal.replace('**/', '(?:.*/)?').replaceAll(/(?<!\.)\*/g, '[^/]*');
  return new RegExp(`^${source}$`);
};
