import { isRecord } from '@virgule/core/objects';
import { showControls } from '@virgule/core/text';
import { runtimeErrors } from '../errors/runtime-errors.js';
import type { DeadEvent, DeadEvents } from '../scale/scale.js';
import { actionOf, type Action, type Operation, type OperationContext } from './operation.js';

/** How many events are listed. */
const MAX_LISTED = 1_000;

interface ActionInput {
  readonly events: DeadEvents;
  readonly id: string;
  readonly context: OperationContext;
  readonly json: boolean;
}

/** Reads, replays and drops the events that ended every worker. */
export const dead: Operation = async (words, { json = false }, context) => {
  const action = actionOf(ACTIONS, words);
  if (!action) {
    const want = '`list`, `show ID`, `replay ID` or `drop ID`';
    throw runtimeErrors.E_ARGUMENTS({
      command: 'dead',
      program: context.program,
      want,
      saw: words,
    });
  }
  const scaled = await context.openScale();
  const [, id = ''] = words;
  try {
    return await action.run({ events: scaled.dead, id, context, json });
  } finally {
    await scaled.close();
  }
};

const withId = (run: Action<ActionInput>['run']): Action<ActionInput> => ({
  least: 1,
  most: 1,
  run,
});

const ACTIONS: Readonly<Record<string, Action<ActionInput>>> = {
  list: { least: 0, most: 0, run: list },
  show: withId(async ({ events, id, context, json }) => {
    const event = await events.get(id);
    if (!event) return noEvent(id, context);
    if (json) print(event, json, context);
    else context.stdout.write(`${showControls(JSON.stringify(event, null, 2), '')}\n`);
    return 0;
  }),
  replay: withId((input) => change(input, (id) => input.events.replay(id))),
  drop: withId((input) => change(input, (id) => input.events.drop(id))),
};

async function list({ events, context, json }: ActionInput): Promise<number> {
  const listed = await events.list(MAX_LISTED);
  for (const event of listed) print(event, json, context);
  if (listed.length === 0 && !json) context.stdout.write('No events were set aside.\n');
  return 0;
}

/** Changes an event, and prints what it was. */
async function change(
  { events, id, context, json }: ActionInput,
  act: (id: string) => Promise<boolean>,
): Promise<number> {
  const event = await events.get(id);
  if (!event || !(await act(id))) return noEvent(id, context);
  print(event, json, context);
  return 0;
}

function noEvent(id: string, { stderr }: OperationContext): number {
  stderr.write(`There is no event ${showControls(id, '')}.\n`);
  return 1;
}

function print(event: DeadEvent, json: boolean, { stdout }: OperationContext): void {
  const { id, at, deliveries } = event;
  const line = json
    ? JSON.stringify({ v: 1, ...event })
    : `${id}  ${at}  ${deliveries} times  ${describe(event)}`;
  stdout.write(`${json ? line : showControls(line, '')}\n`);
}

/** Returns what a line shows of an event: of a command what was typed, of others the name. */
function describe({ event }: DeadEvent): string {
  if (!event) return 'cannot be read';
  const rawInput = isRecord(event.d) ? event.d['rawInput'] : undefined;
  return typeof rawInput === 'string' ? rawInput : event.t;
}
