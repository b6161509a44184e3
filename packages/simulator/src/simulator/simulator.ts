import type { Clock } from '@virgule/core/clock';
import type { Log } from '@virgule/core/log';
import type { EndpointName, Profile } from '@virgule/core/protocol';
import type {
  SimEvent,
  SimInteraction,
  SimMessage,
  SimProblem,
  SimSnapshot,
} from '@virgule/core/simulator-api';

export interface SimulatorOptions {
  /**
   * The port to listen on; 0 takes any that is free.
   *
   * @defaultValue 0
   */
  readonly port?: number | undefined;
  /**
   * The address to listen on. Requests must name it, or a loopback name, in `Host`.
   *
   * @defaultValue '127.0.0.1'
   */
  readonly host?: string | undefined;
  /**
   * Asked of everyone who does not come from this machine, as `?access=` in the first address; the
   * browser remembers it. Any name in `Host` is good then. Without it `host` is open to its network.
   *
   * @defaultValue nobody is asked
   */
  readonly accessKey?: string | undefined;
  /**
   * What `save` gave in an earlier run: the messages of then stand in the place of those of the seed. Data that does
   * not fit is left aside, and `restored` says so.
   *
   * @defaultValue the messages of the seed
   */
  readonly saved?: unknown;
  /** Answers of the platform that its interface document leaves open, where they differ from the default. */
  readonly profile?: Partial<Profile> | undefined;
  /** @defaultValue the clock of this machine */
  readonly clock?: Clock | undefined;
  /**
   * Ids and tokens are made from this text: the same seed gives the same ones every time.
   *
   * @defaultValue 'virgule'
   */
  readonly seed?: string | undefined;
  /** Requests at level debug, unknown routes at warn. Tokens are never written. @defaultValue silent */
  readonly log?: Log | undefined;
  /**
   * The folder of the built chat page; null serves none.
   *
   * @defaultValue the page that comes with this package
   */
  readonly pageDir?: string | null | undefined;
}

export interface RunCommandInput {
  /** The line as a user types it, such as `/roll 20`. */
  readonly rawInput: string;
  /** Id or name. @defaultValue 'general' */
  readonly channel?: string | undefined;
  /** Username or id. @defaultValue the owner of the channel's server */
  readonly as?: string | undefined;
}

export interface SendMessageInput {
  readonly content: string;
  /** Id or name. @defaultValue 'general' */
  readonly channel?: string | undefined;
  /** Username or id. @defaultValue the owner of the channel's server */
  readonly as?: string | undefined;
}

export interface ReactInput {
  /** Id of the message. */
  readonly messageId: string;
  /** A unicode emoji. */
  readonly emoji: string;
  /** Username or id. @defaultValue the owner of the channel's server */
  readonly as?: string | undefined;
  /** Whether the reaction is taken back. @defaultValue `false` */
  readonly remove?: boolean | undefined;
}

/** What the simulator counted since its start. */
export interface SimulatorCounts {
  /** Requests per endpoint, those that were refused included. */
  readonly requests: Readonly<Record<EndpointName, number>>;
  /** Requests that named no endpoint. */
  readonly unknownRoutes: number;
  /** How often a gateway socket identified. */
  readonly identifies: number;
  /** Gateway sockets that are open now, identified or not. */
  readonly sockets: number;
}

/** The whole platform on one local port. */
export interface Simulator extends AsyncDisposable {
  readonly port: number;
  /** Address of the chat page, such as `http://127.0.0.1:7300/`. */
  readonly page: string;
  /** `{base_url}` of the Bot Interface, such as `http://127.0.0.1:7300`. */
  readonly baseUrl: string;
  /** `{gateway_url}` of the Bot Interface, such as `ws://127.0.0.1:7300`. */
  readonly gatewayUrl: string;
  /** The bot's token. A throwaway value that opens nothing but this simulator. */
  readonly token: string;
  /** Lets its holder act as the owner of the first server. A throwaway value, as `token`. */
  readonly userToken: string;
  readonly counts: SimulatorCounts;
  /** Whether the messages are those of `saved`. */
  readonly restored: boolean;
  /** How many messages there are now, in all channels, deleted ones included. */
  readonly messageCount: number;
  /** What was said, as plain JSON for the `saved` of a later run. */
  save(): object;
  /** The world as it is now, messages excepted. */
  snapshot(): SimSnapshot;
  /**
   * Runs a command as a user does.
   *
   * @throws VirguleError `E_SIM_COMMAND_UNKNOWN`, `E_SIM_CHANNEL_UNKNOWN`, `E_SIM_USER_UNKNOWN`,
   * `E_SIM_REFUSED`.
   */
  run(input: RunCommandInput): SimInteraction;
  /**
   * Writes a message as a user does.
   *
   * @throws VirguleError `E_SIM_CHANNEL_UNKNOWN`, `E_SIM_USER_UNKNOWN`, `E_SIM_REFUSED`.
   */
  sendMessage(input: SendMessageInput): SimMessage;
  /**
   * Reacts to a message as a user does, or takes the reaction back.
   *
   * @throws VirguleError `E_SIM_USER_UNKNOWN`, `E_SIM_REFUSED`.
   */
  react(input: ReactInput): SimMessage;
  /**
   * The messages of a channel, oldest first; deleted ones are among them, marked and empty.
   *
   * @param channel - id or name; `general` when left out.
   * @throws VirguleError `E_SIM_CHANNEL_UNKNOWN`.
   */
  messages(channel?: string): readonly SimMessage[];
  /** One interaction; undefined when its id is unknown or it was long ago. */
  interaction(id: string): SimInteraction | undefined;
  /** Hears everything that happens, as the page does. Returns how to stop. */
  on(listener: (event: SimEvent) => void): () => void;
  /** Shows these problems on the page in place of those before; an empty list clears them. */
  report(problems: readonly SimProblem[]): void;
  /** Ends every connection and frees the port. Calling it again gives the same promise. */
  close(): Promise<void>;
}
