import type { ChainEvent } from '../../src/model/chain-event.ts';
import { SPL_TOKEN_PROGRAM } from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';
import { drawLamports } from './add-trade.ts';
import { chooseBuyer } from './choose-trade.ts';
import { addTransaction, type MarketContext, walletAddress } from './market-context.ts';
import { CURVE_BASE_RAW, type MarketAddresses, SUPPLY_RAW } from './mint-markets.ts';
import { addressOf, KIND } from './numbered-texts.ts';
import { addPurchaseParts } from './trade-parts.ts';
import { TransactionDraft, toRaw } from './transaction-draft.ts';

const TOKEN_DECIMALS = 6;

/** A launch on a bonding curve, whose creator buys first. */
export function addLaunch(market: MarketContext): void {
  const { state, markets, options } = market;
  const { counters } = state;
  const row = markets.addCurve(counters.slots);
  counters.launches++;
  const wallet = chooseBuyer(market, row);
  const { programId } = markets.venueOf(row);
  const draft = new TransactionDraft(walletAddress(wallet), programId);
  const outerIx = draft.outerIx++;
  draft.events.push(
    launchEvent(market, row, draft.payer, outerIx),
    metadataEvent(row, markets.addressesOf(row).mint, outerIx),
    ...supplyEvents(markets.addressesOf(row), outerIx),
  );
  const lamports = options.walletsPerMint === null ? drawLamports(market) : FIRST_BUY_LAMPORTS;
  addPurchaseParts(market, draft, { row, wallet, lamports });
  addTransaction(market, draft);
}

/** The creator's purchase in a market in which each wallet buys once. */
const FIRST_BUY_LAMPORTS = 10_000_000;

function launchEvent(
  { markets }: MarketContext,
  row: number,
  creator: Address,
  outerIx: number,
): ChainEvent {
  const { mint, pool, quoteMint } = markets.addressesOf(row);
  const { base, quote } = markets.tradingReserves(row);
  return {
    kind: 'launch',
    outerIx,
    innerIx: -1,
    venue: markets.venueOf(row).venue,
    mint,
    quoteMint,
    pool,
    creator,
    tokenProgram: SPL_TOKEN_PROGRAM,
    supply: toRaw(SUPPLY_RAW),
    reserves: {
      base: toRaw(CURVE_BASE_RAW),
      quote: toRaw(0),
      virtualBase: toRaw(base),
      virtualQuote: toRaw(quote),
    },
  };
}

function metadataEvent(row: number, mint: Address, outerIx: number): ChainEvent {
  return {
    kind: 'metadataSet',
    outerIx,
    innerIx: -1,
    standard: 'metaplex',
    mint,
    name: `Token of launch ${row}`,
    symbol: `T${row.toString(36).toUpperCase()}`,
    uri: `https://ipfs.io/ipfs/${addressOf(KIND.lpMint, row)}`,
    sellerFeeBps: 0,
    creators: null,
    isMutable: false,
    primarySaleHappened: false,
    tokenStandard: 'Fungible',
    updateAuthority: null,
  };
}

/** The mint, its whole supply for the curve, and the end of minting. */
function supplyEvents({ mint, vaultOwner }: MarketAddresses, outerIx: number): ChainEvent[] {
  return [
    {
      kind: 'mintCreated',
      outerIx,
      innerIx: 1,
      mint,
      decimals: TOKEN_DECIMALS,
      tokenProgram: SPL_TOKEN_PROGRAM,
      mintAuthority: vaultOwner,
      freezeAuthority: null,
    },
    {
      kind: 'tokenTransfer',
      outerIx,
      innerIx: 12,
      transferKind: 'mintTo',
      mint,
      fromOwner: null,
      toOwner: vaultOwner,
      amountGross: toRaw(SUPPLY_RAW),
      feeWithheld: toRaw(0),
    },
    { kind: 'authority', outerIx, innerIx: 13, mint, authorityKind: 'mint', newAuthority: null },
  ];
}
