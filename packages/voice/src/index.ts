export { readOpus } from './source/read-opus.js';
export {
  publish,
  type WhipOptions,
  type WhipSession,
  type WhipTarget,
} from './whip/whip-client.js';
