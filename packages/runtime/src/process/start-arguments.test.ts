import { describe, expect, it } from 'vitest';
import { readStartArguments, syncOf } from './start-arguments.js';

const NOTHING = {
  check: false,
  mode: 'production',
  sync: false,
  allowDelete: false,
  health: { port: undefined, host: undefined },
};

describe('readStartArguments', () => {
  it.each([
    [[], {}],
    [['--check'], { check: true }],
    [['--sync'], { sync: true }],
    [['--mode', 'staging'], { mode: 'staging' }],
    [['--mode'], { mode: '' }],
    [['--sync', '--allow-delete'], { sync: true, allowDelete: true }],
    [['--sync', '--allow-delete=old, /older,'], { sync: true, allowDelete: ['old', 'older'] }],
    [['--health-port', '9090'], { health: { port: '9090', host: undefined } }],
    [['--health-port=0', '--health-host=::1'], { health: { port: '0', host: '::1' } }],
    [['--health-port'], { health: { port: '', host: undefined } }],
    // The bot's own code may take arguments too.
    [['--verbose', 'word', '-x', '--sync'], { sync: true }],
  ])('reads %j', (argv, expected) => {
    expect(readStartArguments(argv)).toEqual({ ...NOTHING, ...expected });
  });
});

describe('syncOf', () => {
  it.each([
    [[], false, { sync: 'check' }],
    [['--allow-delete'], false, { sync: 'check' }],
    [['--sync'], false, { sync: 'apply', allowDelete: [] }],
    [['--sync', '--allow-delete=old'], false, { sync: 'apply', allowDelete: ['old'] }],
    [['--sync', '--allow-delete'], false, { sync: 'apply-with-deletions' }],
    // In the wrong folder a bot has no commands: it would delete all of them.
    [['--sync', '--allow-delete'], true, { sync: 'apply', allowDelete: [] }],
    [['--sync', '--allow-delete=old'], true, { sync: 'apply', allowDelete: ['old'] }],
  ])('of %j is, for a bot without commands (%j), %j', (argv, isEmpty, expected) => {
    expect(syncOf(readStartArguments(argv), isEmpty)).toEqual(expected);
  });
});
