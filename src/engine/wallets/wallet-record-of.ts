import { presentMetadata } from '../../fold/market/token-metadata.ts';
import { hasKnownCost, type Position } from '../../fold/positions/position.ts';
import type { Address } from '../../model/units.ts';
import {
  POSITIONS_SHOWN,
  type WalletAutomation,
  type WalletFunding,
  type WalletPosition,
  type WalletRecord,
  type WalletSkill,
} from '../../model/wallet-record.ts';
import type { Books } from '../books/books.ts';
import type { WalletBooks } from '../books/wallet-books.ts';
import { tokenJudgementsOf } from './token-judgements.ts';
import { kindsOf } from './wallet-kinds.ts';

/**
 * The record of a wallet, from all books; null for an address that no book has seen. Every address
 * that ever held a token, traded or paid for another has one, also a pool, a program or a mint:
 * tokens are sent to those, too, and then they are listed as holders.
 */
export function walletRecordOf(
  books: Books,
  walletBooks: WalletBooks,
  address: Address,
): WalletRecord | null {
  if (walletBooks.ids.find(address) === -1) return null;
  const firstFunding = fundingOf(walletBooks, address);
  const positions: WalletPosition[] = [];
  let positionCount = 0;
  for (const position of walletBooks.positions.ofWallet(address)) {
    positionCount++;
    if (positions.length < POSITIONS_SHOWN) positions.push(walletPositionOf(books, position));
  }
  const tokenJudgements = tokenJudgementsOf(walletBooks, address);
  const automation = automationOf(walletBooks, address, { tokenJudgements, positions });
  return {
    address,
    tokenJudgements,
    addressClass: walletBooks.funding.classify(address),
    automation,
    skill: skillOf(walletBooks, address),
    firstFunding,
    positions,
    positionCount,
  };
}

function automationOf(
  { ids, wallets, follows }: WalletBooks,
  address: Address,
  { tokenJudgements, positions }: Pick<WalletRecord, 'tokenJudgements' | 'positions'>,
): WalletAutomation | null {
  const id = ids.find(address);
  const verdict = id === -1 ? null : wallets.verdict(id);
  const profile = id === -1 ? null : wallets.profile(id);
  if (verdict === null || profile === null) return null;
  const { firstSlot, firstMs, lastSlot, lastMs, features } = profile;
  const isCopied = (mint: Address) => follows.isCopied(mint, address);
  return {
    ...verdict,
    kinds: kindsOf({ verdict, judgements: tokenJudgements, positions, isCopied }),
    terms: verdict.terms.map(({ name, ...term }) => ({ term: name, ...term })),
    trades: features.trades,
    firstSlot,
    firstMs,
    lastSlot,
    lastMs,
  };
}

function skillOf({ smart }: WalletBooks, address: Address): WalletSkill | null {
  const verdict = smart.verdict(address);
  if (verdict === null) return null;
  const { sums, excluded, ...parts } = verdict;
  const { count: episodes, ...others } = sums;
  return { ...parts, ...others, episodes, excludedEpisodes: excluded };
}

function fundingOf({ funding }: WalletBooks, address: Address): WalletFunding | null {
  const first = funding.firstFunding(address);
  return first === null ? null : { ...first, funderClass: funding.classify(first.funder) };
}

/** A position with what is known about its token. */
export function walletPositionOf({ tokens, pools }: Books, position: Position): WalletPosition {
  const token = tokens.get(position.mint);
  const primary = token?.primaryPool == null ? undefined : pools.get(token.primaryPool);
  const { mint, heldRaw, unknownRaw, costUsd, realisedUsd, buys, sells } = position;
  return {
    mint,
    symbol: token === undefined ? null : presentMetadata(token.metadata).symbol,
    decimals: token?.decimals ?? null,
    heldRaw,
    unknownBasisRaw: unknownRaw,
    costUsd,
    realisedUsd,
    hasKnownCost: hasKnownCost(position),
    priceUsd: primary?.priceUsd ?? null,
    buys,
    sells,
    firstBuyMs: position.firstBuyMs,
    lastTradeMs: position.lastTradeMs,
  };
}
