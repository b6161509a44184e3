import { describe, expect, it } from 'vitest';
import { readScalingGuide, type GuideSet } from './scaling-guide.js';

const guide = await readScalingGuide();

describe('the guide on scaling', () => {
  it('starts 2 gateways, 4 workers and Redis with the compose file, and starts each again', () => {
    const { redis, processes } = guide.compose;
    expect(redis.toSorted()).toEqual([
      'appendfsync always',
      'appendonly yes',
      'maxmemory-policy noeviction',
    ]);
    expect(processes.map(({ role }) => role).join(' ')).toBe(
      'gateway gateway worker worker worker worker',
    );
    expect(new Set(processes.map(({ restart }) => restart))).toEqual(new Set(['always']));
  });

  it('starts the same commands, with the same settings of Redis, with systemd', () => {
    const { redis, processes } = guide.systemd;
    expect(redis.toSorted()).toEqual(guide.compose.redis.toSorted());
    // A process that was killed has failed; one that cannot start with its settings has not.
    expect(new Set(processes.map(({ restart }) => restart))).toEqual(new Set(['on-failure']));
    const commands = (of: GuideSet['processes']) =>
      of.map(({ role, args }) => [role, ...args.map((arg) => arg.replace('/opt/bot/', ''))]);
    expect(commands(processes)).toEqual(commands(guide.compose.processes));
  });

  it('has a state folder for each process of systemd', () => {
    for (const { role, text } of guide.units) {
      expect(text.split('\n')).toEqual(
        expect.arrayContaining([
          `StateDirectory=bot-${role}-%i`,
          `WorkingDirectory=/var/lib/bot-${role}-%i`,
        ]),
      );
      // systemd refuses a service with two of them.
      expect(text.match(/^ExecStart=/gm)).toHaveLength(1);
    }
  });
});
