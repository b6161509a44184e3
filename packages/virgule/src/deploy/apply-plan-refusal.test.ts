import { clientErrors } from '@virgule/client/rest';
import { describe, expect, it } from 'vitest';
import { explainRefusal } from './apply-plan.js';
import type { LocalCommands } from './local-commands.js';

const item = (name: string, ...options: string[]) => ({
  name,
  description: name,
  options: options.map((it) => ({ name: it, description: it, type: 'string', required: false })),
});

const LOCAL: LocalCommands = {
  items: [item('hello'), item('play', 'url', 'loop')],
  called: 'local',
  platform: {},
  fileOf: (name) => `commands/${name}.ts`,
  locate: (name, key) => ({
    file: `commands/${name}.ts`,
    line: key === undefined ? 1 : key.length,
  }),
};
const SENT = ['hello', 'play', 'theirs'];

function explained(field: string | undefined, apiMessage = '', status = 400): unknown {
  const error = clientErrors.E_API_REFUSED({
    endpoint: 'commands.replace',
    route: 'PUT /commands',
    attempts: 1,
    elapsedMs: 3,
    status,
    apiCode: 'bot_validation_error',
    apiMessage,
    field,
  });
  const result = explainRefusal(error, LOCAL, SENT);
  return result === error ? 'unchanged' : result;
}

describe('explainRefusal', () => {
  it.each([
    ['commands[1].options[0].type', 'url', 3],
    ['commands.1.options.1.name', 'loop', 4],
    ['commands[1].description', undefined, 11],
    ['body.commands[1].name', undefined, 1],
    ['commands[1]', undefined, 1],
  ])('finds the place of %s', (field, option, line) => {
    expect(explained(field, 'too long')).toMatchObject({
      code: 'E_COMMAND_REFUSED',
      message: `The platform refused /play${option === undefined ? '' : `, option "${option}"`}: too long`,
      location: { file: 'commands/play.ts', line },
    });
  });

  it('finds the only command that the message names when no field is given', () => {
    expect(explained(undefined, 'Two commands are named play.')).toMatchObject({
      code: 'E_COMMAND_REFUSED',
      details: { name: 'play' },
    });
    expect(explained('commands', 'The command hello has two options.')).toMatchObject({
      details: { name: 'hello' },
    });
  });

  it('names a command that is kept, which has no options here', () => {
    expect(explained('commands[2].options[0]', 'no')).toMatchObject({
      details: { name: 'theirs', option: undefined },
    });
  });

  it('leaves alone what it cannot place', () => {
    expect(explained(undefined, 'Too many commands.')).toBe('unchanged');
    expect(explained(undefined, 'hello and play')).toBe('unchanged');
    expect(explained('commands[9]', 'no')).toBe('unchanged');
    expect(explained('commands[1]', 'not allowed', 403)).toBe('unchanged');
    const other = new Error('no network');
    expect(explainRefusal(other, LOCAL, SENT)).toBe(other);
  });
});
