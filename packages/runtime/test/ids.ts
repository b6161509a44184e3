// Ids made up for the tests, each with other version bits.
export const BOT_USER = '3d0f6a58-91c2-4e7b-8a4d-62b0f5c9e317';
export const OTHER_USER = 'c81e5b74-2f0a-1d96-9e33-7b4a60d2f8c5';
export const SERVER = '7b2c9e10-4d85-7a63-b1f0-93e8d5a6c42f';
export const CHANNEL = '5e9b3c17-a264-4d80-b91e-07f3c8d5624a';
export const OTHER_CHANNEL = 'a94d7f02-6b38-8c51-a2e7-1f50c6d9b834';
export const MESSAGE = 'f06b2e94-7d51-8a3c-9740-5c1e8b6da2f3';

/** The id of the n-th interaction of a test. */
export const interactionId = (n: number): string =>
  `8a5c0e7f-d913-4b26-ae84-${String(n).padStart(12, '0')}`;
