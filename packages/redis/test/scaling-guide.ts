import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const REPOSITORY = new URL('../../../', import.meta.url);

/** A process of the bot as the guide on scaling starts it. */
export interface GuideProcess {
  readonly role: string;
  /** Arguments of Node.js, with the path of the build. */
  readonly args: readonly string[];
  /** Condition under which the process is started again. */
  readonly restart: string;
}

/** Processes of a compose file or of a set of systemd units. */
export interface GuideSet {
  /** Settings of Redis, as lines of redis.conf. */
  readonly redis: readonly string[];
  readonly processes: readonly GuideProcess[];
}

/** Returns the first group of a match. Fails if there is none: then the guide has changed, and this file follows. */
function find(text: string, pattern: RegExp): string {
  const found = pattern.exec(text)?.[1];
  if (found === undefined) throw new Error(`the guide on scaling has nothing like ${pattern}`);
  return found;
}

const read = (path: string): Promise<string> =>
  readFile(fileURLToPath(new URL(path, REPOSITORY)), 'utf8');

/** Returns the set of a compose file in the form that the guide has: services, and lines of `key: value`. */
function readCompose(text: string): GuideSet {
  const services = new Map<string, string>();
  for (const [, name = '', body = ''] of text.matchAll(/^ {2}(\w+):(.*\n(?: {4}.*\n)+)/gm))
    services.set(name, body);
  const service = (name: string): string => {
    const body = services.get(name) ?? '';
    const anchor = /<<: \*(\w+)/.exec(body)?.[1];
    const base = [...services.values()].find((other) => other.startsWith(` &${anchor}\n`));
    // The first of two equal keys is found.
    return body + (anchor === undefined ? '' : base);
  };
  return {
    redis: find(service('redis'), /command: redis-server --(.*)/).split(' --'),
    processes: [...services.keys()].filter(isBot).flatMap((name) => {
      const body = service(name);
      return repeat(Number(find(body, /replicas: (\d+)/)), {
        role: find(body, /BOT_ROLE: (\w+)/),
        args: find(body, /command: node (.*)/).split(' '),
        restart: find(body, /restart: (.*)/),
      });
    }),
  };
}

const isBot = (name: string): boolean => name === 'gateway' || name === 'worker';
const repeat = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

/** Returns a unit of the template with the lines of the guide, for a role. */
const unitOf = (template: string, lines: string, role: string): string =>
  lines
    .replaceAll('worker', role)
    .split('\n')
    .reduce((unit, line) => {
      const key = line.split('=')[0];
      // A unit may have several of these.
      return key === 'Environment'
        ? unit.replace('[Service]', `[Service]\n${line}`)
        : unit.replace(new RegExp(`^${key}=.*$`, 'm'), line);
    }, template);

/** Returns what the guide on scaling and the template `reminders` start with Docker, and with systemd. */
export async function readScalingGuide() {
  const [guide, template] = await Promise.all([
    read('docs/guide/scaling.md'),
    read('templates/reminders/bot.service'),
  ]);
  const lines = find(guide, /```ini\n(ExecStart=[^`]*)\n```/);
  const enabled = find(guide, /systemctl enable --now (redis-server .*)/);
  const units = [...enabled.matchAll(/bot-(\w+)@\{([\d,]+)\}/g)].map(
    ([, role = '', names = '']) => ({
      role,
      count: names.split(',').length,
      text: unitOf(template, lines, role),
    }),
  );
  return {
    compose: readCompose(find(guide, /```yaml\n# compose.yaml\n([^`]*)```/)),
    systemd: {
      redis: find(guide, /```text\n(maxmemory-policy [^`]*)\n```/).split('\n'),
      processes: units.flatMap(({ count, text }) =>
        repeat(count, {
          role: find(text, /^Environment=BOT_ROLE=(\w+)$/m),
          args: find(text, /^ExecStart=\/usr\/bin\/node (.*)$/m).split(' '),
          restart: find(text, /^Restart=(.*)$/m),
        }),
      ),
    } satisfies GuideSet,
    units,
  };
}
