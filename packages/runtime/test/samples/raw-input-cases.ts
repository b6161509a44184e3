import * as z from 'zod';
import { option } from '../../src/options/option.js';

/** The commands of the table, by name. */
export const rawInputCommands = {
  ping: undefined,
  play: z.object({
    url: z.url(),
    volume: z.int().min(0).max(100).default(50),
    note: z.string().optional(),
  }),
  roll: z.object({
    sides: z.int().min(2).default(6),
    count: z.int().min(1).max(20).default(1),
  }),
  say: z.object({ text: z.string() }),
  remind: z.object({ after: option.duration(), text: z.string() }),
  draw: z.object({
    title: z.string(),
    subtitle: z.string().optional(),
    bold: z.boolean().optional(),
    scale: z.number().optional(),
    format: z.enum(['png', 'svg']).default('png'),
  }),
  code: z.object({ language: z.enum(['js', 'ts']), source: option.rest() }),
  greet: z.object({
    who: option.user(),
    where: option.channel().optional(),
    as: option.role().optional(),
    target: option.mentionable().optional(),
  }),
  crop: z.object({ file: option.attachment(), size: z.literal([1, 2, 4]).optional() }),
  mail: z.object({ to: z.email(), subject: z.string().min(3, 'That is too short') }),
  fetch: z.object({ https: z.string(), text: z.string().optional() }),
  own: z.object({ loud: z.stringbool({ truthy: ['ja'], falsy: ['nein'] }) }),
  tune: z.object({ by: z.int().min(-12).max(12) }),
  book: z.object({ room: z.uuid(), day: z.iso.date().optional() }),
  range: z
    .object({ from: z.int(), to: z.int() })
    .refine(({ from, to }) => from <= to, 'from must not be above to'),
  odd: z.object({
    loud: z.stringbool().optional(),
    'no-cache': z.boolean().optional(),
    cache: z.boolean().optional(),
    level: z.string().nullable(),
  }),
} as const;

/** An input line and its expected result. */
export interface RawInputCase {
  /** The rule that the line demonstrates. */
  readonly about: string;
  /** The line as it arrives; its first word names the command, unless `command` does. */
  readonly typed: string;
  readonly command?: keyof typeof rawInputCommands;
  /** The options the handler gets. */
  readonly gives?: Readonly<Record<string, unknown>>;
  /** The answer the user gets instead, without the usage at its end. */
  readonly refuses?: string;
}

const ID = '5f0c8a52-7f3e-4a11-9d7e-0c3a1b2d4e5f';
const URL = 'https://example.com/audio.mp3';
const playing = { url: URL, volume: 50 };
const drawing = { title: 'a', format: 'png' };

/** Every parsing rule, with the input lines that demonstrate it. */
export const rawInputSections: Readonly<Record<string, readonly RawInputCase[]>> = {
  "The command's name": [
    { about: 'no options', typed: '/ping', gives: {} },
    { about: 'whitespace around the command', typed: '  /ping \n', gives: {} },
    { about: 'the name in another case', typed: '/PLAY https://example.com/audio.mp3', command: 'play', gives: playing },
    { about: 'the name followed by the bot', typed: '/play@tune-bot https://example.com/audio.mp3', command: 'play', gives: playing },
    { about: 'the name in another case, followed by the bot', typed: '/Play@TuneBot', command: 'play', refuses: 'url is missing.' },
    { about: 'the name without a slash', typed: 'play https://example.com/audio.mp3', command: 'play', gives: playing },
    { about: 'no name at all', typed: 'https://example.com/audio.mp3', command: 'play', gives: playing },
    { about: 'a word that only starts with the name', typed: 'playing', command: 'say', gives: { text: 'playing' } },
    { about: 'the repeated name is text', typed: '/say say', gives: { text: 'say' } },
    { about: 'the name of the command when the line was typed', typed: '/old-name hi', command: 'say', gives: { text: 'hi' } },
    { about: 'a line break after the name', typed: '/say\nhi', command: 'say', gives: { text: 'hi' } },
    { about: 'a direction mark before the slash', typed: '\u200f/say שלום', command: 'say', gives: { text: 'שלום' } },
    { about: 'empty input', typed: '', command: 'ping', gives: {} },
    { about: 'empty input with a required option', typed: '', command: 'say', refuses: 'text is missing.' },
  ],
  'Positional values': [
    { about: 'values in the order of the options', typed: '/roll 20 3', gives: { sides: 20, count: 3 } },
    { about: 'defaults for omitted values', typed: '/roll', gives: { sides: 6, count: 1 } },
    { about: 'several spaces, tabs and line breaks between words', typed: '/roll  20\t\n 3', gives: { sides: 20, count: 3 } },
    { about: 'a wide space between words', typed: '/roll 20\u30003\u00a0', gives: { sides: 20, count: 3 } },
    { about: 'omitted optional values are absent', typed: '/draw a', gives: drawing },
    { about: 'an omitted nullable value is null', typed: '/odd', gives: { level: null } },
    { about: 'a URL keeps its colons and equals signs', typed: '/play https://example.com/a:b?x=1&y=2#z 80', gives: { url: 'https://example.com/a:b?x=1&y=2#z', volume: 80 } },
    { about: 'emoji', typed: '/draw 🎉👩‍👩‍👧 🏳️‍🌈', gives: { title: '🎉👩‍👩‍👧', subtitle: '🏳️‍🌈', format: 'png' } },
    { about: 'right to left', typed: '/draw שלום مرحبا', gives: { title: 'שלום', subtitle: 'مرحبا', format: 'png' } },
    { about: 'a Windows path keeps its backslashes', typed: String.raw`/draw C:\new\table \\server\share`, gives: { title: String.raw`C:\new\table`, subtitle: String.raw`\\server\share`, format: 'png' } },
    { about: 'names of Object.prototype members are text', typed: '/draw __proto__ constructor', gives: { title: '__proto__', subtitle: 'constructor', format: 'png' } },
  ],
  'Quotes': [
    { about: 'double quotes group words', typed: '/draw "two words" b', gives: { title: 'two words', subtitle: 'b', format: 'png' } },
    { about: 'single quotes group words', typed: "/draw 'two words' b", gives: { title: 'two words', subtitle: 'b', format: 'png' } },
    { about: 'typographic quotes, as phones insert them', typed: '/draw “two words” ‘and two’', gives: { title: 'two words', subtitle: 'and two', format: 'png' } },
    { about: 'quotes of other languages', typed: '/draw „zwei Wörter“ «deux mots»', gives: { title: 'zwei Wörter', subtitle: 'deux mots', format: 'png' } },
    { about: 'line breaks inside quotes are kept', typed: '/draw "a\n b" c', gives: { title: 'a\n b', subtitle: 'c', format: 'png' } },
    { about: 'an empty quoted string is a value', typed: '/draw "" b', gives: { title: '', subtitle: 'b', format: 'png' } },
    { about: 'an escaped quote inside quotes', typed: String.raw`/draw "say \"hi\"" b`, gives: { title: 'say "hi"', subtitle: 'b', format: 'png' } },
    { about: 'an escaped backslash inside quotes', typed: String.raw`/draw "C:\dir\\" b`, gives: { title: 'C:\\dir\\', subtitle: 'b', format: 'png' } },
    { about: 'an escaped quote outside quotes', typed: String.raw`/draw \"a b\"`, gives: { title: '"a', subtitle: 'b"', format: 'png' } },
    { about: 'an apostrophe inside a word is a letter', typed: "/draw it's don’t", gives: { title: "it's", subtitle: 'don’t', format: 'png' } },
    { about: 'an apostrophe inside single quotes is a letter', typed: "/draw 'it's fine' b", gives: { title: "it's fine", subtitle: 'b', format: 'png' } },
    { about: 'an unclosed apostrophe before a word is a letter', typed: "/draw 'tis ’90s", gives: { title: "'tis", subtitle: '’90s', format: 'png' } },
    { about: 'a quote inside a word is a letter', typed: '/draw 6\'2" 27"', gives: { title: '6\'2"', subtitle: '27"', format: 'png' } },
    { about: 'a word continues after its closing quote', typed: '/draw "a b", c', gives: { title: 'a b,', subtitle: 'c', format: 'png' } },
    { about: 'other quotes inside quotes are letters', typed: `/draw "it's “so”" 'a "b" c'`, gives: { title: "it's “so”", subtitle: 'a "b" c', format: 'png' } },
    { about: 'an unclosed quote', typed: '/draw "a b', refuses: 'title: the quote is never closed, got ""a b".' },
    { about: 'quotes around a number are allowed', typed: '/roll "20"', gives: { sides: 20, count: 1 } },
  ],
  'The rest of the line': [
    { about: 'a last string option takes the rest of the line', typed: '/say hello  there,\n friend ', gives: { text: 'hello  there,\n friend' } },
    { about: 'the rest after other values', typed: `/play ${URL} 80 my favourite song`, gives: { url: URL, volume: 80, note: 'my favourite song' } },
    { about: 'one pair of quotes around the rest is removed', typed: '/say "hello there"', gives: { text: 'hello there' } },
    { about: 'typographic quotes around the rest are removed', typed: '/say “hello there”', gives: { text: 'hello there' } },
    { about: 'quotes around only a part of the rest are kept', typed: '/say "a" and "b"', gives: { text: '"a" and "b"' } },
    { about: 'single quotes around only a part of the rest are kept', typed: "/say 'a' and 'b'", gives: { text: "'a' and 'b'" } },
    { about: 'escapes inside the removed quotes', typed: String.raw`/say "a \"b\" \\ \n c"`, gives: { text: String.raw`a "b" \ \n c` } },
    { about: 'escapes without enclosing quotes are kept', typed: String.raw`/say a \"b\" c`, gives: { text: String.raw`a \"b\" c` } },
    { about: 'an unclosed quote in the rest is kept', typed: '/say "hello', gives: { text: '"hello' } },
    { about: 'spaces inside the removed quotes are kept', typed: '/say "  a  "', gives: { text: '  a  ' } },
    { about: 'an empty pair of quotes is an empty string', typed: '/say ""', gives: { text: '' } },
    { about: 'only spaces count as missing', typed: '/say   ', refuses: 'text is missing.' },
    { about: 'flags and names in the rest are text', typed: '/say hi --text x text:y --loud -v', gives: { text: 'hi --text x text:y --loud -v' } },
    { about: 'option.rest() keeps everything as typed', typed: '/code js "a"  + \'b\' \\" ', gives: { language: 'js', source: '"a"  + \'b\' \\" ' } },
    { about: 'option.rest() keeps line breaks', typed: '/code ts\n```ts\n  x: 1\n```', command: 'code', gives: { language: 'ts', source: '```ts\n  x: 1\n```' } },
  ],
  'Named options': [
    { about: 'a name followed by its value', typed: '/roll --count 3', gives: { sides: 6, count: 3 } },
    { about: 'a name with an equals sign', typed: '/roll --count=3', gives: { sides: 6, count: 3 } },
    { about: 'a name with a colon', typed: '/roll count:3', gives: { sides: 6, count: 3 } },
    { about: 'a long dash, as phones insert it for two dashes', typed: '/roll —count 3', gives: { sides: 6, count: 3 } },
    { about: 'a name after dashes, in another case', typed: '/roll --Count 3', gives: { sides: 6, count: 3 } },
    { about: 'names in any order', typed: '/roll --count 3 --sides 20', gives: { sides: 20, count: 3 } },
    { about: 'words fill the options that are not named', typed: `/play --volume 80 ${URL} my song`, gives: { url: URL, volume: 80, note: 'my song' } },
    { about: 'a named value in quotes', typed: '/draw --title "two words" subtitle:“and two”', gives: { title: 'two words', subtitle: 'and two', format: 'png' } },
    { about: 'a named value in quotes after an equals sign', typed: "/draw --title='a b' --subtitle=\"c d\"", gives: { title: 'a b', subtitle: 'c d', format: 'png' } },
    { about: 'an empty named value', typed: '/draw --title= b', gives: { title: '', subtitle: 'b', format: 'png' } },
    { about: 'a named value that contains an equals sign', typed: '/draw --title=a=b', gives: { title: 'a=b', format: 'png' } },
    { about: 'a named URL after a colon', typed: `/play url:${URL} volume:80`, gives: { url: URL, volume: 80 } },
    { about: 'a URL whose scheme is the name of an option', typed: '/fetch https://example.com', gives: { https: 'https://example.com' } },
    { about: 'a name with a colon and no value is text', typed: '/draw title: b', gives: { title: 'title:', subtitle: 'b', format: 'png' } },
    { about: 'an unknown name is text', typed: '/draw size:5 --huge', gives: { title: 'size:5', subtitle: '--huge', format: 'png' } },
    { about: 'a single dash is text', typed: '/draw -t -', gives: { title: '-t', subtitle: '-', format: 'png' } },
    { about: 'two dashes alone are text', typed: '/draw -- b', gives: { title: '--', subtitle: 'b', format: 'png' } },
    { about: 'a name in quotes is text', typed: '/draw "--bold" "title:x"', gives: { title: '--bold', subtitle: 'title:x', format: 'png' } },
    { about: 'names of Object.prototype members are not option names', typed: '/draw --__proto__=x --constructor', gives: { title: '--__proto__=x', subtitle: '--constructor', format: 'png' } },
    { about: 'a named rest takes the rest of the line', typed: `/play ${URL} --note my --volume song`, gives: { url: URL, volume: 50, note: 'my --volume song' } },
    { about: 'a named rest after a colon', typed: `/play ${URL} note:my song`, gives: { url: URL, volume: 50, note: 'my song' } },
    { about: 'a named rest in quotes ends at the closing quote', typed: `/play ${URL} --note "my song" --volume 80`, gives: { url: URL, volume: 80, note: 'my song' } },
    { about: 'a named option.rest() keeps its quotes', typed: '/code js --source "a" b', gives: { language: 'js', source: '"a" b' } },
    { about: 'a name without a value', typed: '/roll --count', refuses: 'count: --count has no value, expected a whole number from 1 to 20.' },
    { about: 'a name where a value is expected', typed: '/roll --count --sides 20', refuses: 'count: --count has no value, expected a whole number from 1 to 20.' },
    { about: 'the same name twice', typed: '/roll --count 3 count:4', refuses: 'count is given twice, the second time as "count:4".' },
    { about: 'a name for an option that a word already filled', typed: '/roll 20 --sides 6', refuses: 'sides is given twice, the second time as "--sides".' },
  ],
  'Booleans': [
    { about: 'a flag is true', typed: '/draw a --bold', gives: { ...drawing, bold: true } },
    { about: 'a flag with no- is false', typed: '/draw a --no-bold', gives: { ...drawing, bold: false } },
    { about: 'a flag with its value', typed: '/draw a --bold=off', gives: { ...drawing, bold: false } },
    { about: 'a flag with its value after a colon', typed: '/draw a bold:yes', gives: { ...drawing, bold: true } },
    { about: 'a flag before true or false', typed: '/draw --bold false a', gives: { ...drawing, bold: false } },
    { about: 'a flag before any other word', typed: '/draw --bold yes', gives: { ...drawing, title: 'yes', bold: true } },
    { about: 'no- before an option that is not boolean is text', typed: '/draw --no-title', gives: { ...drawing, title: '--no-title' } },
    { about: 'an option whose own name starts with no-', typed: '/odd --no-cache', gives: { 'no-cache': true, level: null } },
    { about: 'a word for true', typed: '/draw a b ON', gives: { ...drawing, subtitle: 'b', bold: true } },
    { about: 'a word for false', typed: '/draw a b 0', gives: { ...drawing, subtitle: 'b', bold: false } },
    { about: 'a word that is neither', typed: '/draw a b maybe', refuses: 'bold: expected yes or no, got "maybe".' },
    { about: 'a word that the schema accepts', typed: '/odd enabled', gives: { loud: true, level: null } },
    { about: 'a word that the schema does not accept', typed: '/odd maybe', refuses: 'loud: expected yes or no, got "maybe".' },
    { about: 'a word that a schema with custom words does not accept', typed: '/own yes', refuses: 'loud: expected ja or nein, got "yes".' },
    { about: 'a word that a schema with custom words accepts', typed: '/own nein', gives: { loud: false } },
    { about: 'a flag for a schema that accepts words', typed: '/odd --no-loud', gives: { loud: false, level: null } },
  ],
  'Numbers': [
    { about: 'a negative number', typed: '/draw a --scale -5', gives: { ...drawing, scale: -5 } },
    { about: 'a negative number without a name', typed: '/tune -5', gives: { by: -5 } },
    { about: 'a negative number is not a flag', typed: '/tune -0.5', refuses: 'by: expected a whole number from -12 to 12, got "-0.5".' },
    { about: 'a negative number out of range', typed: '/tune -13', refuses: 'by: expected a whole number from -12 to 12, got "-13".' },
    { about: 'a negative number after an equals sign', typed: '/tune --by=-3', gives: { by: -3 } },
    { about: 'a Unicode minus sign', typed: '/tune −3', refuses: 'by: expected a whole number from -12 to 12, got "−3".' },
    { about: 'a plus sign and a leading decimal point', typed: '/draw a --scale +.5', gives: { ...drawing, scale: 0.5 } },
    { about: 'an exponent', typed: '/draw a --scale 1.5e-3', gives: { ...drawing, scale: 0.0015 } },
    { about: 'a whole number written with an exponent', typed: '/roll 1e3', gives: { sides: 1000, count: 1 } },
    { about: 'leading zeros', typed: '/roll 007', gives: { sides: 7, count: 1 } },
    { about: 'hexadecimal is not supported', typed: '/roll 0x10', refuses: 'sides: expected a whole number of at least 2, got "0x10".' },
    { about: 'infinity is not supported', typed: '/draw a scale:1e999', refuses: 'scale: expected a number, got "1e999".' },
    { about: 'digit separators are not supported', typed: '/roll 1,000', refuses: 'sides: expected a whole number of at least 2, got "1,000".' },
    { about: 'a fraction where a whole number is expected', typed: '/roll 2.5', refuses: 'sides: expected a whole number of at least 2, got "2.5".' },
    { about: 'a number out of range', typed: `/play ${URL} 101`, refuses: 'volume: expected a whole number from 0 to 100, got "101".' },
    { about: 'a word where a number is expected', typed: `/play ${URL} loud`, refuses: 'volume: expected a whole number from 0 to 100, got "loud".' },
  ],
  'Choices and other formats': [
    { about: 'a choice', typed: '/draw a format:svg', gives: { ...drawing, format: 'svg' } },
    { about: 'a choice in another case', typed: '/code JS x', gives: { language: 'js', source: 'x' } },
    { about: 'an invalid choice', typed: '/code go x', refuses: 'language: expected js or ts, got "go".' },
    { about: 'a choice of numbers', typed: '/crop x.png 4', gives: { file: 'x.png', size: 4 } },
    { about: 'an invalid choice of numbers', typed: '/crop x.png 3', refuses: 'size: expected 1, 2 or 4, got "3".' },
    { about: 'an invalid URL', typed: '/play song', refuses: 'url: expected a URL, got "song".' },
    { about: 'an invalid email address', typed: '/mail me hello', refuses: 'to: expected an email address, got "me".' },
    { about: 'the error message of the schema', typed: '/mail a@example.com hi', refuses: 'subject: That is too short, got "hi".' },
    { about: 'a duration', typed: '/remind 1h30m get up', gives: { after: 5_400_000, text: 'get up' } },
    { about: 'an invalid duration', typed: '/remind 5 get up', refuses: 'after: expected a duration like 30s, 5m or 1h30m, got "5".' },
  ],
  'Mentions': [
    { about: 'a user as a mention', typed: `/greet <@${ID}>`, gives: { who: { id: ID } } },
    { about: 'a user as an id', typed: `/greet ${ID}`, gives: { who: { id: ID } } },
    { about: 'a channel and a role', typed: `/greet <@${ID}> <#${ID}> <@&${ID}>`, gives: { who: { id: ID }, where: { id: ID }, as: { id: ID } } },
    { about: 'a user or a role', typed: `/greet ${ID} target:<@&${ID}>`, gives: { who: { id: ID }, target: { id: ID, kind: 'role' } } },
    { about: 'a mention of the wrong kind', typed: `/greet <#${ID}>`, refuses: `who: that is a channel, not a user, got "<#${ID}>".` },
    { about: 'a name instead of a mention', typed: '/greet @anna', refuses: 'who: names cannot be looked up here; choose it from the list, or use its id, got "@anna".' },
    { about: 'an invalid mention', typed: '/greet anna', refuses: 'who: expected a user, as a mention or an id, got "anna".' },
    { about: 'a mention in capital letters', typed: `/greet <@${ID.toUpperCase()}>`, gives: { who: { id: ID.toUpperCase() } } },
    { about: 'a mention in quotes', typed: `/greet "<@${ID}>"`, gives: { who: { id: ID } } },
    { about: 'a channel by name, without a platform to look it up', typed: `/greet ${ID} #general`, refuses: 'where: names cannot be looked up here; choose it from the list, or use its id, got "#general".' },
    { about: 'a role by name', typed: `/greet ${ID} as:@admins`, refuses: 'as: names cannot be looked up here; choose it from the list, or use its id, got "@admins".' },
    { about: 'an attachment as a URL', typed: '/crop https://example.com/a.png?size=2', gives: { file: 'https://example.com/a.png?size=2' } },
  ],
  'String formats': [
    { about: 'an id', typed: `/book ${ID}`, gives: { room: ID } },
    { about: 'an invalid id', typed: '/book room-5', refuses: 'room: expected an id like 123e4567-e89b-42d3-a456-426614174000, got "room-5".' },
    { about: 'a date', typed: `/book ${ID} 2030-01-31`, gives: { room: ID, day: '2030-01-31' } },
    { about: 'an invalid date', typed: `/book ${ID} 31.1.2030`, refuses: 'day: expected a date like 2030-01-31, got "31.1.2030".' },
    { about: 'a failed refinement of the whole object', typed: '/range 5 3', refuses: 'from must not be above to.' },
    { about: 'a passed refinement of the whole object', typed: '/range 3 5', gives: { from: 3, to: 5 } },
  ],
  'Missing and extra values': [
    { about: 'a missing value', typed: '/play', refuses: 'url is missing.' },
    { about: 'several missing values', typed: '/remind', refuses: 'after and text are missing.' },
    { about: 'words for a command without options', typed: '/ping hello there', refuses: 'Expected no options, got "hello there".' },
    { about: 'more words than options', typed: '/roll 20 3 and more', refuses: 'Too many words: nothing takes "and more".' },
    { about: 'an unclosed quote among the extra words', typed: '/roll 20 3 "and', refuses: 'Too many words: nothing takes ""and".' },
  ],
};

export const rawInputCases: readonly RawInputCase[] = Object.values(rawInputSections).flat();
