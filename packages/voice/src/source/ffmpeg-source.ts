import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { sourceError } from '../errors/voice-errors.js';
import type { AudioSource, OpenSourceOptions } from './audio-source.js';
import { readOpus } from './read-opus.js';

/** Options of `ffmpeg`. */
export interface FfmpegOptions {
  /** Filters of ffmpeg, in their order: `['loudnorm', 'atempo=1.2']`. @defaultValue none */
  readonly filters?: readonly string[] | undefined;
  /** Bits per second of the Opus audio. @defaultValue 128_000 */
  readonly bitrate?: number | undefined;
  /** Path of the program. @defaultValue `ffmpeg`, which is searched in `PATH` */
  readonly program?: string | undefined;
}

const QUIET = ['-nostdin', '-loglevel', 'error'];
const STEREO_ONLY = ['-vn', '-sn', '-dn', '-ac', '2', '-ar', '48000'];
const OGG = ['-f', 'ogg', '-page_duration', '20000', 'pipe:1'];

const MAX_LOGGED = 2_000;
const CHECK_TIMEOUT_MS = 5_000;
/** A server has to send something this often, in microseconds; ffmpeg tries up to three times. */
const STALL_TIMEOUT_US = 15_000_000;

/** Returns a source of anything that ffmpeg can read. The program is not part of this package. */
export function ffmpegSource(input: string | URL, options: FfmpegOptions = {}): AudioSource {
  const place = String(input);
  const isRemote = /^https?:/i.test(place);
  // Playlists may name other protocols: one of the web must not read files.
  const protocols = isRemote ? 'http,https,tcp,tls,crypto' : 'file,pipe,crypto';
  const path = isRemote || /^file:/i.test(place) ? place : `file:${place}`;
  const stall = isRemote ? ['-rw_timeout', `${STALL_TIMEOUT_US}`] : [];
  const inputs = [...stall, '-protocol_whitelist', protocols, '-i', path];
  // A query often holds a key.
  return source(isRemote ? place.replace(/[?#].*$/, '') : place, inputs, options);
}

/** Returns a source of a sine tone that does not end. */
export function toneSource(hertz: number, options: FfmpegOptions = {}): AudioSource {
  if (!(hertz > 0 && hertz < 24_000)) throw sourceError(`a tone of ${hertz} Hz is not audible`);
  const tone = `sine=frequency=${hertz}:sample_rate=48000`;
  return source(`a tone of ${hertz} Hz`, ['-f', 'lavfi', '-i', tone], options);
}

/** Resolves to what does not work where ffmpeg is not installed; `undefined` if it is. */
export const missingFfmpeg = (program = 'ffmpeg'): Promise<string | undefined> =>
  promisify(execFile)(program, ['-version'], { timeout: CHECK_TIMEOUT_MS }).then(
    () => undefined,
    () => `${program} cannot be started: voice plays only Opus in Ogg, at its own volume`,
  );

function source(name: string, inputs: readonly string[], options: FfmpegOptions): AudioSource {
  return {
    name,
    isReopenable: true,
    hasVolume: true,
    open: (given) => readOpus(run(inputs, options, given)),
  };
}

async function* run(
  inputs: readonly string[],
  { filters = [], bitrate = 128_000, program = 'ffmpeg' }: FfmpegOptions,
  { fromMs, volume, signal }: OpenSourceOptions,
): AsyncGenerator<Uint8Array> {
  const all = [...filters, ...(volume === 1 ? [] : [`volume=${volume}`])];
  const from = fromMs > 0 ? ['-ss', `${fromMs / 1_000}`] : [];
  const filter = all.length > 0 ? ['-af', all.join(',')] : [];
  const codec = ['-c:a', 'libopus', '-b:a', `${bitrate}`, '-frame_duration', '20'];
  const args = [...QUIET, ...from, ...inputs, ...STEREO_ONLY, ...filter, ...codec, ...OGG];
  const stops = { signal, killSignal: 'SIGKILL' } as const;
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...stops });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log = `${log}${text}`.slice(-MAX_LOGGED);
  });
  const ended = new Promise<number | Error | null>((resolve) => {
    child.on('error', resolve);
    child.on('close', resolve);
  });
  try {
    yield* child.stdout;
    const code = await ended;
    signal.throwIfAborted();
    if (code instanceof Error) {
      const instead = volume === 1 ? 'a file with Opus audio in Ogg' : 'the file at its own volume';
      const fix = `Install ffmpeg, or play ${instead}.`;
      throw sourceError(`the program "${program}" cannot be started`, fix, code);
    }
    if (code !== 0) throw sourceError(reasonOf(log, code), 'Check the input and the filters.');
  } finally {
    child.kill('SIGKILL');
  }
}

function reasonOf(log: string, code: number | null): string {
  const line = log.trim().split('\n').at(-1)?.replace(/\.$/, '');
  return `ffmpeg ended with code ${code}${line ? `: ${line}` : ''}`;
}
