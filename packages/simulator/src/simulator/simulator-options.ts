import type { Clock } from '@virgule/core/clock';
import type { Log } from '@virgule/core/log';
import type { ProfileSettings } from '@virgule/core/protocol';
import type { SimFaults } from '@virgule/core/simulator-api';
import type { MediaReceiver } from '../media/media-receiver.js';
import type { NewBot } from '../world/bots.js';
import type { SnapshotStore } from './snapshots.js';

/** Options of `startSimulator`. */
export interface SimulatorOptions {
  /**
   * Port to listen on; 0 selects a free port. With null, the simulator does not listen: programs in this process use
   * `request` and `WebSocket`.
   *
   * @defaultValue 0
   */
  readonly port?: number | null | undefined;
  /** Host to listen on. The `Host` of a request must be this host or a loopback name. @defaultValue '127.0.0.1' */
  readonly host?: string | undefined;
  /**
   * Result of `save` in an earlier run, with the lines of `journal` after that, as one string: its messages replace the
   * messages of the seed. Invalid lines are skipped, such as the cut last line of a killed process. Incompatible data
   * is ignored, and `restored` is then false.
   *
   * @defaultValue the messages of the seed
   */
  readonly saved?: string | undefined;
  /**
   * Address that opens a file of the bot in an editor, with `{file}`, `{line}` and `{column}`.
   *
   * @defaultValue locations are plain text
   */
  readonly editor?: string | undefined;
  /** Storage of the snapshots. @defaultValue in memory */
  readonly snapshots?: SnapshotStore | undefined;
  /** Storage of the conversations, as text. @defaultValue in memory */
  readonly conversations?: SnapshotStore | undefined;
  /** Bots in addition to the first bot. @defaultValue none */
  readonly bots?: readonly NewBot[] | undefined;
  /** Settings that differ from the default profile, for behavior that the Bot Interface does not specify. */
  readonly profile?: ProfileSettings | undefined;
  /** Rules for faults of the simulator. @defaultValue none */
  readonly faults?: SimFaults | undefined;
  /** @defaultValue the clock of this machine */
  readonly clock?: Clock | undefined;
  /**
   * String that ids and tokens are derived from: the same seed results in the same ids and tokens.
   *
   * @defaultValue 'virgule'
   */
  readonly seed?: string | undefined;
  /** Receives requests at level debug and unknown routes at warn, without tokens. @defaultValue silent */
  readonly log?: Log | undefined;
  /** Folder of the built chat page; null for no page. @defaultValue the page of this package */
  readonly pageDir?: string | null | undefined;
  /** Opens the receiver for the audio of voice channels, at an offer. @defaultValue offers are refused */
  readonly openReceiver?: (() => Promise<MediaReceiver | undefined>) | undefined;
}
