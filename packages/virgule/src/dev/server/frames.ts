import type { GatewayEvent } from '@virgule/client/gateway';
import type { Timer } from '@virgule/core/clock';
import { AUTO_DEFER_MS, DEFAULT_TEXTS } from '@virgule/runtime/project';
import type { ServerAnswers } from '../ipc.js';
import type { Child } from './child.js';
import type { DevPlatform } from './dev-platform.js';
import type { SupervisorOptions } from './supervisor.js';

type FramesOptions = Pick<SupervisorOptions, 'clock' | 'log' | 'report'> & {
  readonly platform: Pick<DevPlatform, 'live' | 'logged' | 'stateOf' | 'defer' | 'respond'>;
};

/** Event for a child. */
export interface Frame {
  readonly event: GatewayEvent;
  /** Identifies the event in the message `handling` of a child. */
  readonly number: number;
  /** Set only for commands. */
  readonly interactionId: string | undefined;
  /** Child to which the frame was sent. */
  child: Child | null;
  /** True if the server has deferred the command. */
  isDeferred: boolean;
  /** True if a child died after it had begun this event. */
  isAgain: boolean;
  /** Timers that run while the frame is in the queue, or a busy child has begun it. */
  timers: readonly Timer[];
}

/** Event of a command. */
export type CommandFrame = Frame & { readonly interactionId: string };

/** Limits of the queue while there is no child: number of frames, and time of each frame in milliseconds. */
const MAX_FRAMES = 1_000;
const MAX_WAIT_MS = 30_000;
/** Delay in milliseconds between receipt and begin of a command that shows that a child is overloaded. */
const LATE_MS = 500;

/**
 * Sends each event to the child that answers. An event is in a queue until a child begins it; commands in the queue
 * are deferred in time. After the death of a child, the simulator reports which of its begun commands have no call
 * yet: these are sent to the next child once. For any other unanswered command, the user is asked to try again.
 */
export class Frames {
  readonly #options: FramesOptions;
  /** Frames that no child has begun, by number. */
  readonly #queue = new Map<number, Frame>();
  #child: Child | null = null;
  #count = 0;
  /** End of the time during which the server also defers commands that the child has begun. */
  #busyUntilMs = 0;
  /** Number of frames that left the queue without a child. */
  #dropped = 0;
  /** Reason of the last end of a child. */
  lost = 'its process ended';
  /** Settings of the bot; the defaults until a child has loaded the project. */
  answers: ServerAnswers = { restarting: DEFAULT_TEXTS.restarting, defers: {} };

  constructor(options: FramesOptions) {
    this.#options = options;
  }

  deliver(event: GatewayEvent): void {
    const interactionId = interactionOf(event);
    this.#count += 1;
    const frame: Frame = {
      event,
      number: this.#count,
      interactionId,
      child: null,
      isDeferred: false,
      isAgain: false,
      timers: [],
    };
    this.#add(frame);
    if (this.#child) this.#hand(frame, this.#child);
  }

  /** Sends frames to this child from now on, starting with the queued ones. With `null`, frames are queued. */
  handTo(child: Child | null): void {
    this.#child = child;
    if (!child) return;
    const frames = [...this.#queue.values()].filter((frame) => frame.child === null);
    for (const frame of frames.toSorted((a, b) => a.number - b.number)) this.#hand(frame, child);
    if (this.#dropped > 0) this.#options.report({ type: 'dropped', events: this.#dropped });
    this.#dropped = 0;
  }

  /** Records that a child begins to handle an event. */
  began(child: Child, number: number): void {
    const frame = this.#queue.get(number);
    if (!frame) return;
    this.#take(frame);
    if (!isCommand(frame) || !this.#options.platform.stateOf) return;
    child.begun.add(frame);
    const nowMs = this.#options.clock.monotonic();
    if (nowMs - frame.event.receivedAtMs >= LATE_MS) this.#busyUntilMs = nowMs + AUTO_DEFER_MS;
    // A child that begins hundreds of commands at once makes some of its calls too late.
    if (nowMs < this.#busyUntilMs && !frame.isDeferred)
      frame.timers = this.#whenDue(frame, () => this.#hasNoCall(frame) && this.#defer(frame));
    if (child.begun.size % MAX_FRAMES === 0)
      for (const each of child.begun) if (this.#isAnswered(each)) child.begun.delete(each);
  }

  /** Defers the commands of a child that does not respond. */
  silent(child: Child): void {
    for (const frame of child.begun) if (this.#hasNoCall(frame)) this.#defer(frame);
  }

  /** Returns whether a user waits for the first response to a command of this child. */
  isAwaiting(child: Child): boolean {
    const unbegun = [...this.#queue.values()].filter((frame) => frame.child === child);
    return unbegun.some(isCommand) || [...child.begun].some((frame) => this.#hasNoCall(frame));
  }

  /** Sends the frames of a dead child to the next one, or answers them: on a real platform, their state is unknown. */
  died(child: Child): void {
    const expired: string[] = [];
    for (const frame of child.begun) {
      const mayRunAgain = !frame.isAgain && !child.wasHung;
      frame.isAgain = true;
      if (this.#stateOf(frame) === 'expired') expired.push(nameOf(frame.event));
      else if (mayRunAgain && this.#hasNoCall(frame)) this.#add(frame);
      else this.#answer(frame);
    }
    child.begun.clear();
    if (expired.length > 0) this.#options.report({ type: 'expired', commands: expired });
    for (const frame of this.#queue.values()) if (frame.child === child) frame.child = null;
    this.handTo(this.#child);
  }

  close(): void {
    for (const frame of this.#queue.values()) this.#take(frame);
  }

  #add(frame: Frame): void {
    const { clock } = this.#options;
    frame.child = null;
    frame.timers = [clock.setTimeout(() => this.#tooLate(frame), MAX_WAIT_MS)];
    if (isCommand(frame))
      frame.timers = [...frame.timers, ...this.#whenDue(frame, () => this.#defer(frame))];
    this.#queue.set(frame.number, frame);
    const [oldest] = this.#queue.values();
    if (oldest && !this.#child && this.#queue.size > MAX_FRAMES) this.#drop(oldest);
  }

  /** Calls a function at the time when the server has to defer a command, if ever. */
  #whenDue({ event }: CommandFrame, call: () => void): Timer[] {
    const { clock } = this.#options;
    const name = nameOf(event);
    const { defers } = this.answers;
    const deferMs = Object.hasOwn(defers, name) ? defers[name] : AUTO_DEFER_MS;
    if (typeof deferMs !== 'number') return [];
    const leftMs = event.receivedAtMs + deferMs - clock.monotonic();
    return [clock.setTimeout(call, Math.max(0, leftMs))];
  }

  #hand(frame: Frame, child: Child): void {
    // A call that was in flight when its child died has arrived by now.
    if (frame.isAgain && isCommand(frame) && !this.#hasNoCall(frame)) {
      this.#take(frame);
      return this.#answer(frame);
    }
    const { event, number } = frame;
    frame.child = child;
    // On a simulator, the next call of the bot counts as the first.
    const isDeferred = this.#options.platform.live && frame.isDeferred;
    child.send({ type: 'event', number, event, ...(isDeferred && { isDeferred }) });
  }

  #tooLate(frame: Frame): void {
    // The child is busy, or paused, for example by a debugger.
    if (this.#child)
      frame.timers = [this.#options.clock.setTimeout(() => this.#tooLate(frame), MAX_WAIT_MS)];
    else this.#drop(frame);
  }

  #drop(frame: Frame): void {
    this.#take(frame);
    this.#dropped += 1;
    if (isCommand(frame) && frame.isDeferred) this.#answer(frame);
  }

  #take(frame: Frame): void {
    for (const timer of frame.timers) timer.cancel();
    this.#queue.delete(frame.number);
  }

  #stateOf = ({ interactionId }: CommandFrame) => this.#options.platform.stateOf?.(interactionId);

  #hasNoCall = (frame: CommandFrame): boolean => this.#stateOf(frame) === 'waiting';

  #isAnswered(frame: CommandFrame): boolean {
    const state = this.#stateOf(frame);
    return state !== undefined && state !== 'waiting' && state !== 'deferred';
  }

  #defer(frame: CommandFrame): void {
    if (frame.isDeferred) return;
    frame.isDeferred = true;
    // The state of the interaction shows whether the call succeeded.
    this.#options.platform.defer(frame.interactionId).catch(() => {});
  }

  /** Asks the user of a command to try again, unless the command was answered. */
  #answer(frame: CommandFrame): void {
    const { platform, log } = this.#options;
    if (this.#isAnswered(frame)) return;
    const command = nameOf(frame.event);
    platform.respond(frame.interactionId, this.answers.restarting).then(
      () => {
        log.warn({ command }, `/${command} was interrupted: its process ended`);
        const err = { code: 'E_CHILD_LOST', message: `The bot was restarted: ${this.lost}.` };
        const { interactionId } = frame;
        platform.logged?.(JSON.stringify({ level: 50, msg: err.message, interactionId, err }));
      },
      // An answer of the dead child was in flight, or the command has expired.
      () => {},
    );
  }
}

const isCommand = (frame: Frame): frame is CommandFrame => frame.interactionId !== undefined;

/** Returns the interaction id of a command, and `undefined` for other events. The handler checks the payload. */
function interactionOf({ t, d }: GatewayEvent): string | undefined {
  const payload = t === 'APPLICATION_COMMAND' ? (d as { interactionId?: unknown } | null) : null;
  return typeof payload?.interactionId === 'string' ? payload.interactionId : undefined;
}

/** Returns the name of the command in a command event. */
function nameOf({ d }: GatewayEvent): string {
  const name = (d as { readonly name?: unknown } | null)?.name;
  return typeof name === 'string' ? name : '';
}
