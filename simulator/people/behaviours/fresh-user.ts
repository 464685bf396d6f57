import type { BehaviourContext, BehaviourKind } from '../behaviour.ts';
import { CROWD_STRATEGY, joinCrowd } from '../crowd-member.ts';
import type { ExitStrategy } from '../holding.ts';
import { crowdSizeLamports } from '../order-size.ts';
import { PLAIN_CLIENT } from '../trade-order.ts';
import { ORGANIC, openWallet, type Person } from '../wallets.ts';

const STRATEGY: ExitStrategy = {
  ...CROWD_STRATEGY,
  holdMedianMs: 20 * 60_000,
  slippage: { median: 0.08, spread: 1 },
};

/** Mean number of tokens tried before the wallet is abandoned and a new user begins. */
const TOKENS_TRIED_MEAN = 3;

interface Beginner {
  person: Person;
  tokensLeft: number;
}

/** People with a new wallet: the first lamports come from an exchange just before the first buy. */
export const freshUser: BehaviourKind = { name: 'freshUser', label: ORGANIC, settle };

function settle(context: BehaviourContext, count: number): void {
  if (count === 0) return;
  const { random, attention } = context;
  const beginners = Array.from({ length: count }, () => begin(context));
  attention.buyers.push({
    weight: count,
    come: (interest) => {
      const index = random.below(beginners.length);
      const known = beginners[index] as Beginner;
      const beginner = known.tokensLeft > 0 ? known : begin(context);
      beginners[index] = beginner;
      beginner.tokensLeft--;
      joinCrowd(context, beginner.person, interest, crowdSizeLamports(random), STRATEGY);
    },
  });
}

function begin({ world, random }: BehaviourContext): Beginner {
  const tokensLeft = 1 + Math.floor(random.exponential(TOKENS_TRIED_MEAN - 1));
  return { person: openWallet(world, 'freshUser', ORGANIC, PLAIN_CLIENT), tokensLeft };
}
