import { type BehaviourContext, type BehaviourKind, settler } from '../behaviour.ts';
import { joinCrowd } from '../crowd-member.ts';
import { crowdSizeLamports } from '../order-size.ts';
import { type ClientSettings, PLAIN_CLIENT } from '../trade-order.ts';
import { drawLamports, ORGANIC, openWallet, type Person } from '../wallets.ts';

/** Savings: median and spread of the logarithm. The others have none before their first trade. */
const SAVERS_SHARE = 0.7;
const SAVINGS = { medianSol: 3, spread: 1 } as const;
const ROUTED_SHARE = 0.4;
const LEGACY_SHARE = 0.3;

/** People with a wallet and a web site, who buy when others talk about a token. */
export const casual: BehaviourKind = { name: 'casual', label: ORGANIC, settle };

function settle(context: BehaviourContext, count: number): void {
  const { random, attention, funding } = context;
  const people = Array.from({ length: count }, () => newcomer(context));
  for (const person of people) funding.befriend(person);
  if (count === 0) return;
  attention.buyers.push({
    weight: count,
    come: (interest) =>
      joinCrowd(context, random.pick(people), interest, crowdSizeLamports(random)),
  });
}

function newcomer(context: BehaviourContext): Person {
  const { world, random } = context;
  const client: ClientSettings = {
    ...PLAIN_CLIENT,
    version: random.chance(LEGACY_SHARE) ? 'legacy' : 0,
    isRouted: random.chance(ROUTED_SHARE),
  };
  if (!random.chance(SAVERS_SHARE)) return openWallet(world, 'casual', ORGANIC, client);
  const savings = drawLamports(random, SAVINGS);
  return settler(context, casual, savings, client);
}
