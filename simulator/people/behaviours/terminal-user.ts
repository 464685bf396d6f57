import { TERMINAL_OF_FEE_ACCOUNT } from '../../../src/model/terminal-accounts.ts';
import { type Address, asAddress } from '../../../src/model/units.ts';
import {
  type BehaviourContext,
  type BehaviourKind,
  SPARE_LAMPORTS,
  settler,
} from '../behaviour.ts';
import { CROWD_STRATEGY } from '../crowd-member.ts';
import { buyAndHold, type ExitStrategy } from '../holding.ts';
import { PRESET_SOL } from '../order-size.ts';
import { JITO_TIP_ACCOUNTS } from '../tip-accounts.ts';
import { type ClientSettings, PLAIN_CLIENT } from '../trade-order.ts';
import {
  drawLamports,
  endow,
  lamportsOf,
  lamportsOfSol,
  ORGANIC,
  type Person,
} from '../wallets.ts';

/** Quicker than others: prices are on the screen and one button sells everything. */
const STRATEGY: ExitStrategy = {
  ...CROWD_STRATEGY,
  holdMedianMs: 4 * 60_000,
  takeProfit: [1.3, 4],
  stopLoss: [0.4, 0.8],
  reactionMs: 2_000,
  slippage: { median: 0.12, spread: 0.6 },
  latencyMs: 400,
};

const FEE_BPS = [50n, 90n, 100n] as const;
/** Number of terminals, each of which charges through one of its accounts. */
const TERMINALS_USED = 8;
const SPONSORS = 2;
const SPONSORED_SHARE = 0.3;
const SPONSOR_LAMPORTS = lamportsOfSol(5_000);
const TIPPING_SHARE = 0.4;
const TIP_LAMPORTS = { least: 100_000, most: 3_000_000 } as const;
const SAVINGS = { medianSol: 6, spread: 0.9 } as const;
const TOP_UP_SOL = 4;

interface TerminalUser {
  readonly person: Person;
  /** The preset size that this user trades. */
  readonly sizeLamports: bigint;
  readonly tips: boolean;
}

/** Users of a trading terminal: its fee in each trade, round sizes, tips, shared payers. */
export const terminalUser: BehaviourKind = { name: 'terminalUser', label: ORGANIC, settle };

function settle(context: BehaviourContext, count: number): void {
  if (count === 0) return;
  const { random, attention, funding, world } = context;
  const accounts = random
    .shuffle([...TERMINAL_OF_FEE_ACCOUNT.keys()])
    .slice(0, TERMINALS_USED)
    .map((account) => asAddress(account));
  const sponsors = Array.from({ length: SPONSORS }, () => world.keyring.wallet());
  for (const sponsor of sponsors) endow(world, sponsor, SPONSOR_LAMPORTS);
  const users = Array.from({ length: count }, () => newUser(context, accounts, sponsors));
  for (const { person } of users) funding.befriend(person);
  attention.buyers.push({
    weight: count,
    come: (interest) => {
      const user = random.pick(users);
      const { person, sizeLamports } = user;
      if (lamportsOf(world, person) < sizeLamports + SPARE_LAMPORTS) {
        funding.fund(person, sizeLamports + lamportsOfSol(TOP_UP_SOL));
        return;
      }
      const tip = user.tips ? tipOf(context) : null;
      const priority = Number(tip?.lamports ?? 200_000n);
      const entry = { person, interest, lamports: sizeLamports, strategy: STRATEGY, tip, priority };
      buyAndHold(context, { ...entry, isExposed: tip === null });
    },
  });
}

function newUser(
  context: BehaviourContext,
  feeAccounts: readonly Address[],
  sponsors: readonly Address[],
): TerminalUser {
  const { random, crowdWeight } = context;
  const terminal = { feeAccount: random.pick(feeAccounts), feeBps: random.pick(FEE_BPS) };
  const sponsor = random.chance(SPONSORED_SHARE) ? random.pick(sponsors) : null;
  const client: ClientSettings = { ...PLAIN_CLIENT, terminal, sponsor };
  const savings = drawLamports(random, SAVINGS);
  return {
    person: settler(context, terminalUser, savings, client),
    sizeLamports: lamportsOfSol(random.pick(PRESET_SOL)) * crowdWeight,
    tips: random.chance(TIPPING_SHARE),
  };
}

function tipOf({ random }: BehaviourContext) {
  const lamports = BigInt(random.wholeWithin(TIP_LAMPORTS));
  return { account: random.pick(JITO_TIP_ACCOUNTS), lamports };
}
