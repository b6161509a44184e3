import { DISCORD_JS, installPeer } from '../peers/install-peer.js';
import { commandContender, eventContender, RATE_AND_CPU } from './contenders.js';
import { COMMAND_METRICS } from './measure-commands.js';
import { EVENT_METRICS } from './measure-events.js';
import type { PairOptions } from './measured-pair.js';
import type { Scenario, ScenarioPlan, Size } from './scenario.js';

const PEER_NAME = `${DISCORD_JS.name} ${DISCORD_JS.version}`;

/** Returns a scenario that compares a library for another platform with a bot written by hand for it. */
function peerPlan(id: string, what: string, scenarioOf: PeerScenario): ScenarioPlan {
  return {
    id,
    title: `${PEER_NAME}: ${what}`,
    async prepare(size) {
      const peer = await installPeer(DISCORD_JS);
      const { folder, close } = peer;
      const platform = 'discord';
      return {
        ...scenarioOf(
          size,
          { bot: 'discord-floor', platform },
          { bot: 'discord.js', platform, folder },
        ),
        close,
      };
    },
  };
}

type PeerScenario = (size: Size, floor: PairOptions, peer: PairOptions) => Scenario;

export const peerCommands = peerPlan('peer-commands', 'commands', (size, floor, peer) => ({
  about: `Like the first table, on a fake of the platform that this library is made for, next to a bot written by hand for it. ${PEER_NAME} runs with its defaults.`,
  metrics: COMMAND_METRICS,
  ratios: RATE_AND_CPU,
  contenders: [
    commandContender('by hand, for Discord', floor, size),
    commandContender(PEER_NAME, peer, size),
  ],
}));

export const peerEvents = peerPlan('peer-events', 'events', (size, floor, peer) => ({
  about: 'MESSAGE_CREATE of that platform, which differs in size from ours.',
  metrics: EVENT_METRICS,
  ratios: RATE_AND_CPU,
  contenders: [
    eventContender('by hand, for Discord', floor, size),
    eventContender(PEER_NAME, peer, size),
  ],
}));
