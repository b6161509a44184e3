import * as z from 'zod';
import type { Faults } from '../faults/faults.js';
import type { Gateway } from '../gateway/gateway.js';
import type { MediaApi } from '../media/media-api.js';
import type { SimClock } from '../simulator/sim-clock.js';
import type { BotQuestionHandler, SimulatorCounts } from '../simulator/simulator.js';
import type { Snapshots, SnapshotStore } from '../simulator/snapshots.js';
import type { Trace } from '../trace/trace.js';
import type { Past } from '../world/past.js';
import type { World } from '../world/world.js';

/** The parts of a simulator that actions read and change. */
export interface Control {
  readonly world: World;
  readonly trace: Trace;
  readonly past: Past;
  readonly faults: Faults;
  readonly snapshots: Snapshots;
  readonly simClock: SimClock;
  readonly conversations: SnapshotStore;
  readonly gateway: Gateway;
  readonly media: MediaApi;
  readonly counts: SimulatorCounts;
  /** Asks the process of the bot, if a process answers. */
  readonly bot: { readonly answer?: BotQuestionHandler };
  /** URL at which the bot reaches the simulator. */
  readonly origin: () => string;
  /** Aborted when the simulator closes. */
  readonly closed: AbortSignal;
}

/** Result of an action that is a file: HTTP sends its bytes, every other interface JSON. */
export class SimFile {
  readonly fileName: string;
  readonly contentType: string;
  readonly bytes: Buffer;

  constructor(fileName: string, contentType: string, bytes: Buffer) {
    this.fileName = fileName;
    this.contentType = contentType;
    this.bytes = bytes;
  }

  toJSON(): object {
    const { fileName, contentType, bytes } = this;
    return { fileName, contentType, base64: bytes.toString('base64') };
  }
}

/** A route of HTTP, an action of `virgule sim`, a tool for agents, a row of the docs, an argument of `Simulator.act`. */
export interface SimAction {
  readonly name: string;
  /** One sentence, which begins with a verb. */
  readonly about: string;
  /** Words and flags of an example of `virgule sim`. @defaultValue none, for an action that needs no input */
  readonly example?: string;
  /** `true` for an action that changes nothing, which is a GET request. */
  readonly reads: boolean;
  /** Schema of an object whose keys are in the order of the words on the command line. */
  readonly input: z.ZodObject;
  /** Maximum size of a request, in bytes. @defaultValue the maximum of the control API */
  readonly maxBytes?: (world: World) => number;
  /** @throws Refusal, or a VirguleError of `simulatorErrors`. */
  act(input: unknown, control: Control): unknown;
}

interface ActionRow<Shape extends z.ZodRawShape> extends Omit<
  SimAction,
  'reads' | 'input' | 'act'
> {
  /** @defaultValue no input */
  readonly input?: Shape;
  readonly act: (input: z.output<z.ZodObject<Shape>>, control: Control) => unknown;
}

/** Creates an action whose `act` receives the output of its schema. */
export const action = <Shape extends z.ZodRawShape>(
  row: ActionRow<Shape>,
  reads = false,
): SimAction => ({ ...row, reads, input: z.strictObject(row.input ?? {}) });

/** Creates an action that changes nothing. */
export const reading = <Shape extends z.ZodRawShape>(row: ActionRow<Shape>): SimAction =>
  action(row, true);

/** Id for examples. */
export const EXAMPLE_ID = '01980000-0000-7000-8000-000000000001';

export const CHANNEL = z
  .string()
  .optional()
  .describe('Id or name of the channel; by default the first text channel');
export const AS = z
  .string()
  .optional()
  .describe('Id or username of the user; by default the owner of the server');
export const MESSAGE = z.string().optional().describe('Message id; by default the last message');
export const SECONDS = z
  .number()
  .min(0)
  .max(120)
  .default(15)
  .describe('Maximum time to wait for the bot; 0 returns immediately');
