import type { Clock } from '@virgule/core/clock';
import type { Log } from '@virgule/core/log';
import type { ProfileSettings } from '@virgule/core/protocol';
import type { SimFaults } from '@virgule/core/simulator-api';
import type { MediaReceiver } from '../media/media-receiver.js';
import type { NewBot } from '../world/bots.js';
import type { SimulatorSize } from '../world/seed-of-size.js';
import type { SnapshotStore } from './snapshots.js';

/** Options of `startSimulator`. */
export interface SimulatorOptions {
  /**
   * Port to listen on; 0 selects a free one. With null it does not listen: programs of this process reach it with
   * `request` and `WebSocket`.
   *
   * @defaultValue 0
   */
  readonly port?: number | null | undefined;
  /**
   * Host to listen on. Requests must have it, or a loopback name, in `Host`.
   *
   * @defaultValue '127.0.0.1'
   */
  readonly host?: string | undefined;
  /**
   * Key that requests from other machines must have, as `?access=` in the first URL; the browser stores
   * it in a cookie. Any name is then allowed in `Host`. Without a key, `host` is open to its network.
   *
   * @defaultValue no key
   */
  readonly accessKey?: string | undefined;
  /**
   * What `save` returned in an earlier run, and the lines of `journal` after it, as one string: its messages replace
   * those of the seed. Lines that are not valid are skipped, as the last one of a killed process may be. Incompatible
   * data is ignored, and `restored` is then false.
   *
   * @defaultValue the messages of the seed
   */
  readonly saved?: string | undefined;
  /**
   * Address with which the page opens a file of the bot in an editor, with `{file}`, `{line}` and `{column}` in it.
   *
   * @defaultValue places are plain text
   */
  readonly editor?: string | undefined;
  /** Where snapshots are kept. @defaultValue in memory */
  readonly snapshots?: SnapshotStore | undefined;
  /** Where conversations are kept, as text. @defaultValue in memory */
  readonly conversations?: SnapshotStore | undefined;
  /** Bots in addition to the first one. @defaultValue none */
  readonly bots?: readonly NewBot[] | undefined;
  /** Number of users and servers, and the maximum number of gateway sockets. */
  readonly size?: SimulatorSize | undefined;
  /** Behavior of the platform that the Bot Interface does not specify, where it differs from the default. */
  readonly profile?: ProfileSettings | undefined;
  /** Rules by which the simulator misbehaves. @defaultValue none */
  readonly faults?: SimFaults | undefined;
  /** @defaultValue the clock of this machine */
  readonly clock?: Clock | undefined;
  /**
   * String that ids and tokens are derived from: the same seed results in the same ones.
   *
   * @defaultValue 'virgule'
   */
  readonly seed?: string | undefined;
  /** Receives requests at level debug and unknown routes at warn, without tokens. @defaultValue silent */
  readonly log?: Log | undefined;
  /**
   * Folder of the built chat page; null for no page.
   *
   * @defaultValue the page of this package
   */
  readonly pageDir?: string | null | undefined;
  /**
   * Opens what receives the audio of voice channels, at the first offer. @defaultValue offers are refused
   */
  readonly openReceiver?: (() => Promise<MediaReceiver | undefined>) | undefined;
}
