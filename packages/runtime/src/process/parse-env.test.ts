import { describe, expect, it } from 'vitest';
import { parseEnv } from './read-env.js';

describe('parseEnv', () => {
  // The rules of dotenv, in the order of its README.
  it.each<[string, string, Record<string, string>]>([
    ['a plain value', 'BASIC=basic', { BASIC: 'basic' }],
    ['empty lines', '\nA=1\n\n\nB=2\n', { A: '1', B: '2' }],
    ['comments', '# A=1\n  # B=2\nC=3 # three', { C: '3' }],
    ['a # without space', 'A=1#2', { A: '1' }],
    ['a # in quotes', `A="1#2" # two\nB='#'\nC=\`#\``, { A: '1#2', B: '#', C: '#' }],
    ['empty values', `A=\nB=""\nC='' # none\nD=\t`, { A: '', B: '', C: '', D: '' }],
    ['quotes inside', `JSON={"foo": "bar"}\nB=it's`, { JSON: '{"foo": "bar"}', B: `it's` }],
    ['white space around', '  A =  some value  \n\tB\t=\t2', { A: 'some value', B: '2' }],
    ['white space in quotes', `A="  a  "\nB='\tb '`, { A: '  a  ', B: '\tb ' }],
    ['line breaks in double quotes', String.raw`A="a\nb\r"`, { A: 'a\nb\r' }],
    [
      'line breaks in no others',
      String.raw`A='a\nb'` + '\nB=`c\\nd`\nC=e\\nf',
      { A: 'a\\nb', B: 'c\\nd', C: 'e\\nf' },
    ],
    ['quotes in other quotes', `A="'"\nB='"'\nC=\`"'\``, { A: `'`, B: '"', C: `"'` }],
    [
      'several lines',
      `KEY="-----BEGIN\nabc=\n-----END"\nB=2`,
      { KEY: '-----BEGIN\nabc=\n-----END', B: '2' },
    ],
    ['export', 'export A=1\n  export  B = "2"', { A: '1', B: '2' }],
    ['a colon', 'A: 1\nB: "2"', { A: '1', B: '2' }],
    ['line ends of Windows and old Macs', 'A=1\r\nB="2\r\n3"\rC=4', { A: '1', B: '2\n3', C: '4' }],
    ['dots and dashes in names', 'a.b-c=1', { 'a.b-c': '1' }],
    ['a second value', 'A=1\nA=2', { A: '2' }],
    ['an open quote', `A="1\nB=2`, { A: '"1', B: '2' }],
    ['text behind quotes', `A="1" 2`, { A: '"1" 2' }],
    ['an = in a value', 'A=b=c=', { A: 'b=c=' }],
    [
      'a name of Object',
      '__proto__=1\nconstructor=2',
      Object.fromEntries([
        ['__proto__', '1'],
        ['constructor', '2'],
      ]),
    ],
    ['nothing', '', {}],
  ])('reads %s', (_, text, variables) => {
    expect(parseEnv(text)).toEqual({ variables, ignored: [] });
  });

  it.each<[string, Record<string, string>, number[]]>([
    ['settings of the bot\nBOT_TOKEN=1', { BOT_TOKEN: '1' }, [1]],
    ['A\nB=2', { B: '2' }, [1]],
    ['\n# c\nA\n\nB="x\ny"\nhttps://chat.example\nC=3\nB', { B: 'x\ny', C: '3' }, [3, 7, 9]],
    ['a b=1\n=2\n[section]\nA:1', {}, [1, 2, 3, 4]],
  ])('counts the lines that it cannot read: %j', (text, variables, ignored) => {
    expect(parseEnv(text)).toEqual({ variables, ignored });
  });
});
