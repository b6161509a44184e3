import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Clock } from '@virgule/core/clock';
import { errorText, isVirguleError } from '@virgule/core/errors';
import { sourceError } from '../errors/voice-errors.js';
import { skipPackets } from '../opus/opus-packet.js';
import { ffmpegSource } from './ffmpeg-source.js';
import { readOpus } from './read-opus.js';

/** Audio to play, created by `audio` or from any input of `voice.stream`. */
export interface AudioSource {
  /** Name in logs and errors. */
  readonly name: string;
  /** True if the source can be read more than once, so that `seek` works. */
  readonly isReopenable: boolean;
  /** True if the source applies `volume`. */
  readonly hasVolume: boolean;
  /** Returns its Opus packets. Called again for another position or volume, while the packets of the call before are read. */
  open(options: OpenSourceOptions): AsyncIterable<Uint8Array>;
  /** Releases the resources of the source. Called on skip and at the end of the stream, also without `open`. */
  discard?(): void;
}

/** Options of `AudioSource.open`. */
export interface OpenSourceOptions {
  /** Start position, in milliseconds. */
  readonly fromMs: number;
  /** Factor of the loudness; 1 leaves it unchanged. */
  readonly volume: number;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

/**
 * A path or `file:` URL, an `http:` or `https:` URL, the bytes, or a stream, of Ogg with Opus; an iterable of Opus
 * packets; or a source of `audio`.
 */
export type SourceInput =
  | string
  | URL
  | Uint8Array
  | Readable
  | AsyncIterable<Uint8Array>
  | AudioSource;

/** Maximum silence of the server of a URL, in milliseconds. */
const STALL_TIMEOUT_MS = 15_000;

/** Returns the source of an input. @throws VirguleError `E_VOICE_SOURCE`. */
export function toSource(input: SourceInput): AudioSource {
  if (typeof input === 'string' || input instanceof URL) return locatedSource(input);
  if (input instanceof Uint8Array) return bytesSource(input);
  if (input instanceof Readable) return readableSource(input);
  if (input instanceof ReadableStream) return readableSource(Readable.from(input));
  if (typeof input === 'object' && input !== null) {
    if ('open' in input && typeof input.open === 'function') return input;
    if (Symbol.asyncIterator in input) return onceSource('an iterable', () => input);
  }
  throw sourceError(`it is ${input === null ? 'null' : `of the type ${typeof input}`}`);
}

function readableSource(input: Readable): AudioSource {
  // The stream may fail before its turn: the reader gets the error later, but an error without a listener ends the process.
  input.on('error', () => {});
  return { ...onceSource('a stream', () => readOpus(input)), discard: () => input.destroy() };
}

function bytesSource(bytes: Uint8Array): AudioSource {
  return {
    name: 'a buffer',
    isReopenable: true,
    hasVolume: false,
    open: ({ fromMs }) => skipPackets(fromMs, readOpus(Readable.from([bytes]))),
  };
}

function onceSource(name: string, open: () => AsyncIterable<Uint8Array>): AudioSource {
  let isOpened = false;
  return {
    name,
    isReopenable: false,
    hasVolume: false,
    open() {
      if (isOpened) throw sourceError('it was played already', 'Create another stream of it.');
      isOpened = true;
      return open();
    },
  };
}

function locatedSource(input: string | URL): AudioSource {
  const isRemote = /^https?:/i.test(String(input));
  const place = /^file:/i.test(String(input)) ? pathOf(input) : String(input);
  const loud = ffmpegSource(place);
  return {
    ...loud,
    open(options) {
      // Only a decoder can change the loudness.
      if (options.volume !== 1) return loud.open(options);
      const bytes = isRemote ? download(place, loud.name, options) : readFrom(place);
      return skipPackets(options.fromMs, readOpus(bytes));
    },
  };
}

function pathOf(url: string | URL): string {
  try {
    return fileURLToPath(url);
  } catch (error) {
    throw sourceError(errorText(error), 'Use the path of the file.', error);
  }
}

async function* readFrom(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path);
  } catch (error) {
    throw sourceError(errorText(error), 'Check the path of the file.', error);
  }
}

async function* download(url: string, name: string, { signal, clock }: OpenSourceOptions) {
  const stall = new AbortController();
  const reason = `${name} sent nothing for ${STALL_TIMEOUT_MS / 1_000} seconds`;
  const watch = () =>
    clock.setTimeout(() => stall.abort(sourceError(reason, FIX)), STALL_TIMEOUT_MS);
  let timer = watch();
  try {
    const response = await fetch(url, { signal: AbortSignal.any([signal, stall.signal]) });
    if (!response.ok) throw sourceError(`${name} answered with status ${response.status}`, FIX);
    for await (const chunk of response.body ?? []) {
      // The reader may take its time: only the server is watched.
      timer.cancel();
      yield chunk;
      timer = watch();
    }
  } catch (error) {
    if (signal.aborted || isVirguleError(error)) throw error;
    const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw sourceError(`${name} cannot be read: ${errorText(inner)}`, FIX, error);
  } finally {
    timer.cancel();
  }
}

const FIX = 'Check the URL, and that it leads to the file itself.';
