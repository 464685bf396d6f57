import type { Address } from '../../src/model/units.ts';
import type { World } from '../market/world.ts';
import { power } from '../random/portable-math.ts';
import type { Random } from '../random/random.ts';

/** The attractiveness of a new token, 0 to 1: a uniform number raised to a power above 1. */
export function drawQuality(random: Random, qualityPower: number): number {
  return power(random.unit(), qualityPower);
}

/** Opens a wallet without lamports for the creator of a token. */
export function openCreator({ keyring, truth }: World): Address {
  const creator = keyring.wallet();
  truth.labels.addWallet(creator, { automation: 'organic', isSmart: false, behaviour: 'creator' });
  return creator;
}
