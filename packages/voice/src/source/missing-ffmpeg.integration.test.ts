import { expect, it } from 'vitest';
import { missingFfmpeg } from './ffmpeg-source.js';

it('says what does not work without ffmpeg, and nothing where it is', async () => {
  expect(await missingFfmpeg('/no/such/ffmpeg')).toContain('voice plays only Opus');
  // It also exits with 0.
  expect(await missingFfmpeg('echo')).toBeUndefined();
});
