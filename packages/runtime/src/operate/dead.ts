import { isRecord } from '@virgule/core/objects';
import { showControls } from '@virgule/core/text';
import type { DeadEvent, ScaledProcess } from '../scale/scale.js';
import { defineOperation, type ActionInput, type OperationContext } from './operation.js';

const MAX_LISTED = 1_000;

export const dead = defineOperation<ScaledProcess>({
  command: 'dead',
  open: (context) => context.openScale(),
  actions: {
    async list(scaled, { flags, context }) {
      const listed = await scaled.dead.list(MAX_LISTED);
      for (const event of listed) print(event, flags.json, context);
      if (listed.length === 0 && !flags.json) context.stdout.write('No events were set aside.\n');
    },
    async 'show ID'(scaled, { given: [id = ''], flags, context }) {
      const event = await scaled.dead.get(id);
      if (!event) return noEvent(id, context);
      if (flags.json) print(event, true, context);
      else context.stdout.write(`${showControls(JSON.stringify(event, null, 2), '')}\n`);
      return 0;
    },
    'replay ID': (scaled, input) => change(scaled, input, 'replay'),
    'drop ID': (scaled, input) => change(scaled, input, 'drop'),
  },
});

async function change(
  { dead: events }: ScaledProcess,
  { given: [id = ''], flags, context }: ActionInput,
  what: 'replay' | 'drop',
): Promise<number> {
  const event = await events.get(id);
  const result = event && (await events[what](id));
  if (!event || !result) return noEvent(id, context);
  if (result === 'too-old') {
    const command = showControls(describe(event), '');
    context.stderr.write(`${command} is not replayed: it is too old to be answered.\n`);
    return 1;
  }
  print(event, flags.json, context);
  return 0;
}

function noEvent(id: string, { stderr }: OperationContext): number {
  stderr.write(`There is no event ${showControls(id, '')}.\n`);
  return 1;
}

function print(event: DeadEvent, json: boolean | undefined, { stdout }: OperationContext): void {
  const { id, at, deliveries } = event;
  const text = `${id}  ${at}  ${deliveries} times  ${describe(event)}`;
  stdout.write(`${json ? JSON.stringify({ v: 1, ...event }) : showControls(text, '')}\n`);
}

/** Returns the text of an event in a list: the typed line of a command, or the name of another event. */
function describe({ event }: DeadEvent): string {
  if (!event) return 'cannot be read';
  const rawInput = isRecord(event.d) ? event.d['rawInput'] : undefined;
  return typeof rawInput === 'string' ? rawInput : event.t;
}
