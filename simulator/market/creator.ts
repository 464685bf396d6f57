import type { Address } from '../../src/model/units.ts';
import { power } from '../portable-math.ts';
import type { Random } from '../random.ts';
import type { World } from './world.ts';

/** Few tokens are wanted: quality is a uniform number to this power. */
const QUALITY_POWER = 3;

/** How much people want a token somebody launches, 0 to 1. */
export function drawQuality(random: Random): number {
  return power(random.unit(), QUALITY_POWER);
}

/** A wallet without lamports whose owner is going to launch a token. */
export function openCreator({ keyring, truth }: World): Address {
  const creator = keyring.wallet();
  truth.labels.addWallet(creator, { automation: 'organic', isSmart: false, behaviour: 'creator' });
  return creator;
}
