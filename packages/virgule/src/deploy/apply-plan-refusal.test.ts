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
    ['commands[1].options[0].type', 'url'],
    ['commands.1.options.1.name', 'loop'],
    ['commands[1].description', undefined],
    ['body.commands[1].name', undefined],
  ])('finds the file of %s', (field, option) => {
    expect(explained(field, 'too long')).toMatchObject({
      code: 'E_COMMAND_REFUSED',
      message: `The platform refused /play${option === undefined ? '' : `, option "${option}"`}: too long`,
      location: { file: 'commands/play.ts' },
    });
  });

  it('names a command that is kept, which has no options here', () => {
    expect(explained('commands[2].options[0]', 'no')).toMatchObject({
      details: { name: 'theirs', option: undefined },
    });
  });

  it('leaves alone what it cannot place', () => {
    expect(explained(undefined, 'Too many commands.')).toBe('unchanged');
    expect(explained('commands[9]', 'no')).toBe('unchanged');
    expect(explained('commands[1]', 'not allowed', 403)).toBe('unchanged');
    const other = new Error('no network');
    expect(explainRefusal(other, LOCAL, SENT)).toBe(other);
  });
});
