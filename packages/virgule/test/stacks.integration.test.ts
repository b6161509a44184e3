import { execFile } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { BIN, startDev, type Report } from './running-dev.js';
import { createTestProject } from './test-project.js';
import { until } from './until.js';

/** Types and an enum: the code that runs has other lines than the file. */
const FILES = {
  'lib/fail.ts': `enum Kind {\n  A = 'a',\n}\n\ninterface Unused {\n  readonly a: Kind;\n}\n\nexport function fail(): never {\n  throw new RangeError('no luck');\n}\n`,
  'commands/print.ts': `import { fail } from '../lib/fail.js';

interface Unused {
  readonly a: string;
}

export default {
  description: 'Prints errors',
  run: (): string => {
    try {
      fail();
    } catch (error: unknown) {
      console.error(error);
      console.log(String((error as Error).stack));
    }
    console.trace('traced');
    return 'printed';
  },
};
`,
  'commands/boom.ts': `import { fail } from '../lib/fail.js';

interface Unused {
  readonly a: string;
}

export default { description: 'Throws', run: (): string => fail() };
`,
  'commands/timer.ts': `interface Unused {
  readonly a: string;
}

export default {
  description: 'Throws in a timer',
  run: (): Promise<void> => {
    setTimeout((): void => {
      throw new TypeError('too late');
    }, 1);
    return new Promise(() => {});
  },
};
`,
};

interface LoggedError {
  readonly msg: string;
  readonly frame?: string;
  readonly err: { readonly stack: string };
}

const linesOf = (reports: readonly Report[]): string[] =>
  reports.flatMap(({ type, line, log }) =>
    type === 'output' && log !== true ? [String(line)] : [],
  );

const errorsOf = (reports: readonly Report[]): LoggedError[] =>
  reports
    .filter(({ type, log }) => type === 'output' && log === true)
    .map(({ line }) => JSON.parse(String(line)) as LoggedError)
    .filter(({ err }) => err !== undefined);

const BOOM_FRAMES = [
  '    at fail (./lib/fail.ts:10:9)',
  '    at Object.run (./commands/boom.ts:7:60)',
];

describe('virgule dev', () => {
  it('prints and logs the lines of the source, and says where an exception came from that ends the process', async () => {
    await using dev = await startDev(FILES);
    expect(await dev.say('/print')).toBe('printed');
    await until(() => expect(linesOf(dev.reports).join('\n')).toContain('Trace: traced'));
    // Two streams, whose lines arrive in no certain order.
    const printed = linesOf(dev.reports).filter((line) => line.startsWith('    '));
    const count = (frame: string) => printed.filter((line) => line === `    at ${frame}`).length;
    expect(count('fail (./lib/fail.ts:10:9)')).toBe(2);
    expect(count('Object.run (./commands/print.ts:11:7)')).toBe(2);
    expect(count('Object.run (./commands/print.ts:16:13)')).toBe(1);
    expect(printed.filter((line) => line.startsWith('    at'))).toHaveLength(5);

    await dev.say('/boom');
    const [boom] = await until(() => {
      const errors = errorsOf(dev.reports);
      expect(errors).toHaveLength(1);
      return errors;
    });
    expect(boom?.err.stack.split('\n').slice(1, 3)).toEqual(BOOM_FRAMES);
    expect(boom?.err.stack).toMatch(/\n {4}… \d+ frames? in virgule[^\n]*$/);
    expect(boom?.frame).toContain(`> 10 |   throw new RangeError('no luck');`);

    await dev.type('/timer');
    expect(await dev.reported('lost')).toMatchObject({ how: 'exit code 1' });
    const last = errorsOf(dev.reports).at(-1);
    expect(last?.msg).toBe('uncaught exception in commands/timer.ts: too late');
    expect(last?.err.stack).toContain('(./commands/timer.ts:9:13)');
    expect(last?.frame).toContain(`>  9 |       throw new TypeError('too late');`);
    expect(linesOf(dev.reports).join('\n')).not.toContain('TypeError: too late');
  });
});

describe('virgule run', () => {
  const run = async (line: string) => {
    await using project = await createTestProject(FILES);
    return await new Promise<{ code: unknown; err: string }>((resolve) => {
      execFile(process.execPath, [BIN, 'run', line], { cwd: project.root }, (error, _, err) =>
        resolve({ code: error?.code ?? 0, err }),
      );
    });
  };

  it('shows the source of a failure, and its own frames', async () => {
    const { code, err } = await run('/boom');
    expect(code).toBe(1);
    expect(err).toContain('✗ /boom failed: RangeError: no luck\n');
    expect(err).toContain(`> 10 |   throw new RangeError('no luck');`);
    expect(err).toContain(BOOM_FRAMES.map((frame) => `  ${frame}\n`).join(''));
    expect(err.match(/no luck/g)).toHaveLength(2);
  });

  it('shows the source of an exception that ends it', async () => {
    const { code, err } = await run('/timer');
    expect(code).toBe(1);
    expect(err).toContain('✗ uncaught exception in commands/timer.ts: TypeError: too late\n');
    expect(err).toContain(`>  9 |       throw new TypeError('too late');`);
    expect(err).toContain('(./commands/timer.ts:9:13)');
    expect(err).not.toContain('E_ENDED_EARLY');
  });
});
