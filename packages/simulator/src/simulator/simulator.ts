import type { IncomingHttpHeaders } from 'node:http';
import type { EndpointName } from '@virgule/core/protocol';
import type {
  SimBot,
  SimBotAnswer,
  SimBotQuestion,
  SimFaults,
  SimFaultState,
  SimEvent,
  SimInteraction,
  SimMessage,
  SimProblem,
  SimSnapshot,
  SimTraceRow,
  SimUpload,
} from '@virgule/core/simulator-api';
import type { MemorySocketConstructor } from '../gateway/memory-socket.js';
import type { ReceivedAudio } from '../media/media-receiver.js';
import type { Answer } from '../server/exchange.js';
import type { NewBot } from '../world/bots.js';
import type { UserRecord } from '../world/state.js';

/** A request of a program in this process. */
interface MemoryRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A channel and an acting user. */
export interface Place {
  /** Id or name of the channel. @defaultValue the first text channel */
  readonly channel?: string | undefined;
  /** Username or id of the user. @defaultValue the owner of the channel's server */
  readonly as?: string | undefined;
}

/** Input of `Simulator.run`. */
export interface RunCommandInput extends Place {
  /** The line as a user types it, such as `/roll 20`. */
  readonly rawInput: string;
}

/** A file of a user. */
export interface UserFile {
  readonly name: string;
  /** Content of the file; a string is text. */
  readonly data: Uint8Array | string;
  /** Media type, such as `image/png`. @defaultValue the type of the extension of `name` */
  readonly contentType?: string | undefined;
}

/** Input of `Simulator.upload`. */
export interface UploadInput extends UserFile, Pick<Place, 'channel'> {}

/** Input of `Simulator.sendMessage`. */
export interface SendMessageInput extends Place {
  /** @defaultValue no text, which requires a file */
  readonly content?: string | undefined;
  /** Files to attach. */
  readonly attachments?: readonly UserFile[] | undefined;
}

/** Input of `Simulator.react`. */
export interface ReactInput extends Pick<Place, 'as'> {
  /** Id of the message. */
  readonly messageId: string;
  /** A unicode emoji. */
  readonly emoji: string;
  /** Removes the reaction instead of adding it. @defaultValue `false` */
  readonly remove?: boolean | undefined;
}

/** Counters since the start of the simulator. */
export interface SimulatorCounts {
  /** Number of requests per endpoint, including rejected ones. */
  readonly requests: Readonly<Record<EndpointName, number>>;
  /** Number of requests to unknown endpoints. */
  readonly unknownRoutes: number;
  /** Number of times a gateway socket identified. */
  readonly identifies: number;
  /** Number of open gateway sockets, identified or not. */
  readonly sockets: number;
}

/** Answers a question of the page about the bot, such as a request for its tasks. */
export type BotQuestionHandler = (question: SimBotQuestion) => Promise<SimBotAnswer | undefined>;

/** A running simulator: the whole platform on one local port, or inside this process. */
export interface Simulator extends AsyncDisposable {
  /** Port of the server; 0 if the simulator does not listen. */
  readonly port: number;
  /** URL of the chat page, such as `http://127.0.0.1:7300/`. */
  readonly page: string;
  /** `{base_url}` of the Bot Interface, such as `http://127.0.0.1:7300`. */
  readonly baseUrl: string;
  /** `{gateway_url}` of the Bot Interface, such as `ws://127.0.0.1:7300`. */
  readonly gatewayUrl: string;
  /** Token of the first bot, valid only in this simulator. */
  readonly token: string;
  /** Token of the owner of the first server, valid only in this simulator. */
  readonly userToken: string;
  readonly counts: SimulatorCounts;
  /** `true` if the messages come from `saved`. */
  readonly restored: boolean;
  /** Number of messages in all channels, including deleted ones. */
  readonly messageCount: number;
  /** Returns the current messages, users and places as lines of JSON, for `saved` of a later run. */
  save(): string;
  /**
   * Adds a listener for lines to append to the result of `save`, one line per change. `onReplaced` is called after a
   * snapshot was restored: `save` has to be called again. Returns a function that removes both listeners.
   */
  journal(listener: (line: string) => void, onReplaced?: () => void): () => void;
  /**
   * Replaces the world by the world of the seed: messages, interactions, and changes of users and places. The bot stays
   * connected, and receives no event.
   */
  reset(): void;
  /** Returns the current state, except messages. */
  snapshot(): SimSnapshot;
  /** Returns statistics of the newest session of a voice channel; `undefined` if the channel had no session. */
  received(channelId: string): ReceivedAudio | undefined;
  /**
   * Answers a request of this process without a socket, as the HTTP server does. The response needs only microtasks.
   */
  request(request: MemoryRequest): Promise<Answer>;
  /**
   * Class for the `WebSocket` of a gateway client in this process: its sockets reach the simulator without a network.
   */
  readonly WebSocket: MemorySocketConstructor;
  /**
   * Adds a bot with its own token, commands and sockets, in the servers of the first bot. An existing bot with this
   * username is returned unchanged.
   *
   * @throws VirguleError `E_SIM_REFUSED`, such as for the username of a user.
   */
  addBot(bot: NewBot): SimBot;
  /**
   * Carries out an action of the control API, and resolves with the body of the HTTP response:
   * https://virgule.dev/reference/control-api.
   *
   * @param name - name of the action, such as `say`
   * @throws VirguleError `E_SIM_REFUSED`, `E_SIM_UNKNOWN`.
   */
  act(name: string, input?: object): Promise<unknown>;
  /** Closes the sockets of all bots, with a close code or abruptly. Returns the number of closed sockets. */
  dropGateway(code?: number): number;
  /** Ends the current window of an interaction now, as if its time had passed. */
  expire(interactionId: string): void;
  /** Runs a command as a user does. @throws VirguleError `E_SIM_UNKNOWN`, `E_SIM_REFUSED`. */
  run(input: RunCommandInput): SimInteraction;
  /** Writes a message as a user does. @throws VirguleError `E_SIM_UNKNOWN`, `E_SIM_REFUSED`. */
  sendMessage(input: SendMessageInput): SimMessage;
  /**
   * Uploads a file as a user does. Its `url` is the value of an attachment option, until `expiresAt`.
   *
   * @throws VirguleError `E_SIM_UNKNOWN`, `E_SIM_REFUSED`.
   */
  upload(input: UploadInput): SimUpload;
  /** Adds or removes a reaction as a user does. @throws VirguleError `E_SIM_UNKNOWN`, `E_SIM_REFUSED`. */
  react(input: ReactInput): SimMessage;
  /**
   * Returns the messages of a channel, oldest first, including deleted ones, which are marked and empty.
   *
   * @param channel - id or name. @defaultValue the first text channel
   * @throws VirguleError `E_SIM_UNKNOWN`.
   */
  messages(channel?: string): readonly SimMessage[];
  /** Returns a message; undefined if the id is unknown. A deleted message is marked and empty. */
  message(id: string): SimMessage | undefined;
  /**
   * Returns a channel.
   *
   * @param channel - id or name. @defaultValue the first text channel
   * @throws VirguleError `E_SIM_UNKNOWN`.
   */
  channel(channel?: string): { readonly id: string; readonly name: string };
  /**
   * Returns a user. An option of a command takes the `id`: a bot cannot look up names.
   *
   * @param user - id or username
   * @throws VirguleError `E_SIM_UNKNOWN`.
   */
  user(user: string): Pick<UserRecord, 'id' | 'username' | 'displayName'>;
  /** Returns an interaction, or undefined if the id is unknown or no longer kept. */
  interaction(id: string): SimInteraction | undefined;
  /**
   * Returns whether the platform has accepted a call of the bot for an interaction. `Simulator.defer` does not count.
   */
  hasCall(interactionId: string): boolean;
  /**
   * Shows the thinking state of an interaction for an absent bot. The next call of the bot counts as its first call: an
   * acknowledgement removes the thinking state.
   *
   * @throws VirguleError `E_SIM_REFUSED`, such as for an expired interaction.
   */
  defer(interactionId: string): void;
  /**
   * Answers an interaction, as the bot does with endpoint 31.
   *
   * @throws VirguleError `E_SIM_REFUSED`, such as for an answered or expired interaction.
   */
  respond(interactionId: string, content: string): SimMessage;
  /** Adds a listener for all events that the page receives. Returns a function that removes the listener. */
  on(listener: (event: SimEvent) => void): () => void;
  /** Replaces the problems that the page shows; an empty list clears them. */
  report(problems: readonly SimProblem[]): void;
  /**
   * Sets the function that answers questions of the page about the tasks and the storage of the bot. The function must
   * not reject; it resolves with `undefined` if the bot does not answer now.
   *
   * @defaultValue questions are not answered
   */
  answerWith(answer: BotQuestionHandler): void;
  /** The current faults, with the number of times that each took effect. */
  readonly faults: SimFaultState;
  /** Replaces the faults; `{ rules: [] }` ends all of them. @throws VirguleError `E_SIM_FAULTS`. */
  setFaults(faults: SimFaults): void;
  /** Reports that changed code is in use from now on. */
  reloaded(files: readonly string[]): void;
  /** Adds an entry of the bot's log to the trace: a line of JSON, as pino writes it. Other lines are ignored. */
  logged(line: string): void;
  /** Returns the rows of the trace after the row with the given id, without their details. */
  trace(after?: number): readonly SimTraceRow[];
  /** Closes every connection and releases the port. Further calls return the same promise. */
  close(): Promise<void>;
}
