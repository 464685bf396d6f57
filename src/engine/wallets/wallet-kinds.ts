import type { WalletVerdict } from '../../fold/wallets/wallet-judgement.ts';
import type { Address } from '../../model/units.ts';
import { type TokenJudgement, WALLET_KINDS, type WalletKind } from '../../model/wallet-kind.ts';
import type { WalletPosition } from '../../model/wallet-record.ts';

/** Tokens that a habit must show in. */
const TOKENS_MIN = 5;
/** Trades by which a market maker is distinguished from a program that buys and sells once. */
const MADE_TRADES_MIN = 100;
/** A maker's sales are two to three fifths of its trades. */
const MADE_SALES = { from: 0.4, to: 0.6 } as const;
const COPIED_SHARE_MIN = 0.5;

/** What the kinds of a wallet are read from. */
export interface KindSources {
  readonly verdict: WalletVerdict;
  readonly judgements: readonly TokenJudgement[];
  readonly positions: readonly WalletPosition[];
  readonly isCopied: (mint: Address) => boolean;
}

/**
 * The kinds of program that a wallet is, in the order of WALLET_KINDS: by the rules and terms that
 * make it a bot, by its newest positions, and by what it is in single tokens.
 */
export function kindsOf(from: KindSources): readonly WalletKind[] {
  const found = new Set<WalletKind>();
  for (const { kind } of from.judgements) if (kind !== null) found.add(kind);
  if (from.verdict.class === 'bot') addKindsOfBot(found, from);
  return WALLET_KINDS.filter((kind) => found.has(kind));
}

function addKindsOfBot(found: Set<WalletKind>, from: KindSources): void {
  const { rule } = from.verdict;
  if (rule === 'sandwich_pairs') found.add('sandwich');
  if (rule === 'same_transaction_round_trips') found.add('arbitrage');
  if (isSaturated(from.verdict, 'launch_snipes')) found.add('sniper');
  if (isSaturated(from.verdict, 'private_program')) found.add('executor');
  if (isMaker(from.positions)) found.add('market_maker');
  if (isCopyTrader(from)) found.add('copy_trader');
}

function isSaturated({ terms }: WalletVerdict, name: string): boolean {
  return terms.some((term) => term.name === name && (term.value ?? 0) >= term.to);
}

function isMaker(positions: readonly WalletPosition[]): boolean {
  return positions.some(({ buys, sells }) => {
    const share = sells / (buys + sells);
    return buys + sells >= MADE_TRADES_MIN && share >= MADE_SALES.from && share <= MADE_SALES.to;
  });
}

function isCopyTrader({ positions, isCopied }: KindSources): boolean {
  const bought = positions.filter(({ buys }) => buys > 0);
  const copied = bought.filter(({ mint }) => isCopied(mint)).length;
  return bought.length >= TOKENS_MIN && copied >= COPIED_SHARE_MIN * bought.length;
}
