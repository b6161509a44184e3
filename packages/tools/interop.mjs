/** `pnpm interop`: sends audio to other implementations of WebRTC, which are installed where that is possible. */
import { spawnSync } from 'node:child_process';
import { installDebian } from './install-debian.mjs';

const PEERS = [
  'python3-aiortc',
  'python3-aiohttp',
  'golang-go',
  'golang-github-pion-webrtc.v3-dev',
  'janus',
];

const { status: installed } = spawnSync('dpkg', ['-s', ...PEERS], { stdio: 'ignore' });
// Without them, the tests fail and name the package.
const problem = installed === 0 ? undefined : await installDebian(...PEERS);
if (problem) console.error(`The peers cannot be installed: ${problem}`);
const { status } = spawnSync('npx', ['vitest', 'run', '--project', 'interop'], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
