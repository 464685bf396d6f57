import type { PoolWallet } from '../../fold/indicators/pool-wallet.ts';
import {
  COORDINATION_MIN,
  SLOT_MS,
  SNIPE_DELAY_MS,
} from '../../fold/wallets/features/wallet-thresholds.ts';
import { SWARM_SHARE_MAX, SWARM_WALLETS_MIN } from '../../fold/wallets/swarms/swarm-watch.ts';
import type { TokenBot } from '../../fold/wallets/token-bots/token-bots.ts';
import type { Address } from '../../model/units.ts';
import type { TokenJudgement } from '../../model/wallet-kind.ts';
import type { Books } from '../books/books.ts';
import type { WalletBooks } from '../books/wallet-books.ts';

/** Most recent tokens of which judgements are listed for a wallet. */
const TOKENS_LISTED_MAX = 50;

/** What makes a wallet a bot in the pools of a token. */
export function judgementsIn(
  books: Books,
  walletBooks: WalletBooks,
  token: Address,
  wallet: Address,
): readonly TokenJudgement[] {
  const { ids, tokenBots, poolWallets } = walletBooks;
  const bot = tokenBots.find(ids.find(token), ids.find(wallet));
  const traded: PoolWallet[] = [];
  for (const { pool } of books.pools.ofMint(token)) {
    const found = poolWallets.find(pool, wallet);
    if (found !== null) traded.push(found);
  }
  return [...(bot === null ? [] : ofBot(token, bot)), ...ofPools(token, traded)];
}

/** The same of the tokens in which it has a judgement of its own, most recent first, up to 50. */
export function tokenJudgementsOf(
  { ids, tokenBots }: WalletBooks,
  wallet: Address,
): readonly TokenJudgement[] {
  const judgements: TokenJudgement[] = [];
  let tokens = 0;
  for (const bot of tokenBots.ofWallet(ids.find(wallet))) {
    if (tokens++ === TOKENS_LISTED_MAX) break;
    judgements.push(...ofBot(ids.addressOf(bot.mint), bot));
  }
  return judgements;
}

function ofBot(token: Address, { sniper, swarm, coordination }: TokenBot): TokenJudgement[] {
  const judgements: TokenJudgement[] = [];
  if (sniper !== null) {
    judgements.push({
      ...{ token, rule: 'launch_sniper', kind: 'sniper', sinceSlot: sniper.sinceSlot },
      meaning:
        'Bought at most two slots after the launch without having created the token. Nobody reads ' +
        'a name and signs within 800 ms.',
      evidence: [figure('slots_after_launch', sniper.delaySlots, SNIPE_DELAY_MS / SLOT_MS)],
    });
  }
  if (swarm !== null) {
    judgements.push({
      ...{ token, rule: 'volume_swarm', kind: 'volume_swarm', sinceSlot: swarm.sinceSlot },
      meaning:
        'One of at least ten wallets with at most three trades each that traded the token within ' +
        'an hour by one form of transaction, which under 2 % of established traders use.',
      evidence: [
        figure('wallets', swarm.wallets, SWARM_WALLETS_MIN),
        figure('share_of_established_traders', swarm.users / swarm.others, SWARM_SHARE_MAX),
      ],
    });
  }
  if (coordination !== null) {
    const { fraudType, sinceSlot, confidence } = coordination;
    judgements.push({
      ...{ token, rule: 'coordination', kind: fraudType === 'wash_volume' ? 'wash' : null },
      sinceSlot,
      meaning:
        `Leads a finding of ${fraudType} in the token of at least 0.7 that no review called false ` +
        'or archived.',
      evidence: [figure('confidence', confidence, COORDINATION_MIN)],
    });
  }
  return judgements;
}

/** Of its trades in the pools of a token. */
function ofPools(token: Address, traded: readonly PoolWallet[]): TokenJudgement[] {
  const judgements: TokenJudgement[] = [];
  const scope = { token, sinceSlot: null };
  const atomic = traded.filter(({ isVolumeAtomic }) => isVolumeAtomic).length;
  if (atomic > 0) {
    judgements.push({
      ...{ ...scope, rule: 'atomic_volume', kind: 'wash' },
      meaning: 'Bought and sold the same amount in one pool within one transaction.',
      evidence: [figure('pools', atomic, 1)],
    });
  }
  const sandwiched = traded.filter(({ isSandwichLeg }) => isSandwichLeg).length;
  if (sandwiched > 0) {
    judgements.push({
      ...{ ...scope, rule: 'sandwich_leg', kind: 'sandwich' },
      meaning: 'Traded around a victim, before and after it.',
      evidence: [figure('pools', sandwiched, 1)],
    });
  }
  const isDust = traded.length > 0 && traded.every((pool) => pool.isDust);
  if (isDust) {
    const volumeUsd = traded.reduce((sum, pool) => sum + Number(pool.volumeUsd) / 1e9, 0);
    judgements.push({
      ...{ ...scope, rule: 'dust', kind: 'dust' },
      meaning: 'Moved less than one dollar in each pool of the token.',
      evidence: [figure('volume_usd', volumeUsd, 1)],
    });
  }
  return judgements;
}

function figure(measure: string, value: number, threshold: number) {
  return { measure, value, threshold };
}
