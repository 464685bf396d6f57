import { formatFixed, mulDiv } from '../../lib/decimal.ts';
import { averagePriceOf, realisedOf, unrealisedOf } from '../../model/position-worth.ts';
import type { TokenRecord } from '../../model/token-record.ts';
import { WALLET_LABELS, type WalletStanding } from '../../model/token-wallets.ts';
import type { RawAmount } from '../../model/units.ts';
import { TokenJudgementBody } from './token-judgement-body.ts';
import {
  address,
  list,
  maybeInstant,
  maybeWord,
  nullable,
  price,
  usd,
  word,
} from './wire-kinds.ts';
import { wireRecord } from './wire-record.ts';

/** A wallet in a token; null for an address that is no ordinary wallet. */
interface WithStanding {
  readonly standing: WalletStanding | null;
}

/** Fields of wallets in lists of a token, to be spread into the table of an item. */
export const STANDING_FIELDS = wireRecord<WithStanding>()({
  class: [
    maybeWord(['organic', 'bot']),
    ({ standing }) => standing?.walletClass ?? null,
    'Class of the wallet in this token; null for one that never traded.',
  ],
  token_rules: [
    list(TokenJudgementBody),
    ({ standing }) => standing?.judgements ?? [],
    'Rules that make the wallet a bot in the pools of this token, whatever its class is elsewhere.',
  ],
  labels: [
    list(word(WALLET_LABELS)),
    ({ standing }) => standing?.labels ?? [],
    'creator: created the token; insider: paid the creator, was paid by it, or has the same first ' +
      'funder; smart: trades well; copied: others bought the token right after it, as they often do.',
  ],
  cluster_id: [
    nullable(address),
    ({ standing }) => standing?.cluster ?? null,
    'Names the wallets assumed to have one owner: their first funder, or the wallet itself. Null ' +
      'for an address that is no ordinary wallet.',
  ],
  first_buy_at: [
    maybeInstant,
    ({ standing }) => standing?.position?.firstBuyMs ?? null,
    'Null without a purchase of known time.',
  ],
  average_cost_usd: [
    nullable(price),
    ({ standing }) => (standing?.position ? averagePriceOf(standing.position) : null),
    'Cost per token of the tokens held at a known cost.',
  ],
  realised_usd: [
    nullable(usd),
    ({ standing }) => (standing?.position ? realisedOf(standing.position) : null),
    'Realised profit or loss; null for an owner without a position, and if no token ever had a known cost.',
  ],
  unrealised_usd: [
    nullable(usd),
    ({ standing }) => (standing?.position ? unrealisedOf(standing.position) : null),
    'Unrealised profit or loss of the tokens held at a known cost; null without a price.',
  ],
}).fields;

const SHARE_DIGITS = 4;

/** Share of the supply from 0 to 1, with four decimals; null while the supply is unknown. */
export function shareOfSupply(
  balanceRaw: RawAmount,
  { supplyRaw }: Pick<TokenRecord, 'supplyRaw'>,
): string | null {
  if (supplyRaw === null || supplyRaw <= 0n) return null;
  const share = mulDiv(balanceRaw, 10n ** BigInt(SHARE_DIGITS), supplyRaw, 'half-up');
  return formatFixed(share, SHARE_DIGITS);
}
