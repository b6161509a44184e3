import { describe, expect, it } from 'vitest';
import { readStartArguments } from './start-arguments.js';

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
