export { voiceChange, type VoiceChange } from './members/voice-members.js';
export { audio, voice, type StreamOptions, type Voice, type VoiceOptions } from './stream/voice.js';
export type { Finished, FinishReason, VoiceStream } from './stream/voice-stream.js';
export type { StreamEvent, StreamState } from './stream/stream-events.js';
export type { SendStats } from './host/message.js';
export type { AudioSource, OpenSourceOptions, SourceInput } from './source/audio-source.js';
export type { FfmpegOptions } from './source/ffmpeg-source.js';
