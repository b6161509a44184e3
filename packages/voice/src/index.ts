export {
  audio,
  createVoice,
  type StreamOptions,
  type Voice,
  type VoiceOptions,
} from './stream/voice.js';
export type {
  Finished,
  FinishReason,
  StreamEvent,
  StreamState,
  VoiceStream,
} from './stream/voice-stream.js';
export type { SendStats } from './host/message.js';
export type { AudioSource, OpenSourceOptions, SourceInput } from './source/audio-source.js';
export type { FfmpegOptions } from './source/ffmpeg-source.js';
export { readOpus } from './source/read-opus.js';
export {
  publish,
  type WhipOptions,
  type WhipSession,
  type WhipTarget,
} from './whip/whip-client.js';
