import type { Simulator } from '@virgule/simulator';

export function addressesOf(platform: Simulator) {
  const { page, baseUrl, gatewayUrl, token, userToken } = platform;
  const tokens = Object.fromEntries(
    platform.snapshot().bots.map((bot) => [bot.username, bot.token]),
  );
  return { page, baseUrl, gatewayUrl, token, tokens, userToken };
}

export function describeSimulator(platform: Simulator): string {
  const { page, baseUrl, gatewayUrl, token } = platform;
  return [
    `  Page     ${page}`,
    '',
    '  Settings for a bot (throwaway values, good for this simulator only):',
    `  BOT_TOKEN=${token}`,
    `  BOT_BASE_URL=${baseUrl}`,
    `  BOT_GATEWAY_URL=${gatewayUrl}`,
    ...platform
      .snapshot()
      .bots.slice(1)
      .map((bot) => `  BOT_TOKEN=${bot.token} for ${bot.username}`),
    '',
    '  Ctrl+C stops it.',
    '',
  ].join('\n');
}
