import type { CaseFunding, MintCase } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import { isTrader } from '../readings/traders.ts';

/** Ancestors are sought so many hops up (METHODS §7.1). */
const HOPS_MAX = 3;
/** Who paid more wallets than this within 7 days serves strangers, whether or not it is known for it. */
const FAN_OUT_MAX = 200;

/** Whether money that comes from here, or goes here, says whose it is. */
export function isOwnPurse(mintCase: MintCase, address: Address): boolean {
  const fanOut = mintCase.wallets.get(address)?.fanOut ?? 0;
  return isTrader(mintCase, address) && fanOut <= FAN_OUT_MAX;
}

/** A shell is no end and no beginning of money: whoever paid it is meant. */
export function isShell(mintCase: MintCase, address: Address): boolean {
  return isTrader(mintCase, address) && mintCase.wallets.get(address)?.isShell === true;
}

/** The payments to a wallet that are known, its first one among them. */
export function fundingsOf(mintCase: MintCase, address: Address): readonly CaseFunding[] {
  const wallet = mintCase.wallets.get(address);
  if (wallet === undefined) return [];
  const { fundings, firstFunding } = wallet;
  return firstFunding === null ? fundings : [...fundings, firstFunding];
}

/**
 * Everybody from whom a wallet's money came, with the least number of hops, 1 to 3. A shell stands as
 * far away as who paid it. Nobody is sought behind an exchange, hub, sponsor or other service.
 */
export function ancestorsOf(mintCase: MintCase, wallet: Address): ReadonlyMap<Address, number> {
  const hops = new Map<Address, number>();
  let level: Address[] = [wallet];
  for (let hop = 1; hop <= HOPS_MAX; hop++) {
    const above: Address[] = [];
    // Grows while it is walked: what is behind a shell belongs to the same level.
    for (const paid of level) {
      for (const { funder } of fundingsOf(mintCase, paid)) {
        if (funder === wallet || hops.has(funder) || !isOwnPurse(mintCase, funder)) continue;
        hops.set(funder, hop);
        (isShell(mintCase, funder) ? level : above).push(funder);
      }
    }
    level = above;
  }
  return hops;
}

/** The more wallets somebody pays within 7 days, the less it says to be one of them. */
const STRENGTH_BY_FAN_OUT = [
  { fanOutMax: 20, strength: 0.85 },
  { fanOutMax: 100, strength: 0.6 },
  { fanOutMax: 200, strength: 0.4 },
];
/** For every hop beyond the first. */
export const HOP_DISCOUNT = 0.75;

/** What it says of two wallets that money of both came from this one, over one hop each. */
export function commonStrength(mintCase: MintCase, ancestor: Address): number {
  const fanOut = mintCase.wallets.get(ancestor)?.fanOut ?? 0;
  return STRENGTH_BY_FAN_OUT.find(({ fanOutMax }) => fanOut <= fanOutMax)?.strength ?? 0;
}
