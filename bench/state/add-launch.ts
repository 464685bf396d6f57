import { SPL_TOKEN_PROGRAM } from '../../src/model/program.ts';
import { drawLamports } from './add-trade.ts';
import { chooseBuyer } from './choose-trade.ts';
import { addTransaction, type MarketContext, walletAddress } from './market-context.ts';
import { CURVE_BASE_RAW, SUPPLY_RAW } from './mint-markets.ts';
import { addressOf, KIND } from './numbered-texts.ts';
import { addPurchaseParts } from './trade-parts.ts';
import { TransactionDraft, toRaw } from './transaction-draft.ts';

const TOKEN_DECIMALS = 6;

/** A launch on a bonding curve, whose creator buys first. */
export function addLaunch(market: MarketContext): void {
  const { state, markets } = market;
  const { counters } = state;
  const row = markets.addCurve(counters.slots);
  counters.launches++;
  const wallet = chooseBuyer(market, row);
  const { venue, programId } = markets.venueOf(row);
  const draft = new TransactionDraft(walletAddress(wallet), programId);
  const creator = draft.payer;
  const { mint, pool, quoteMint, vaultOwner } = markets.addressesOf(row);
  const outerIx = draft.outerIx++;
  const { base, quote } = markets.tradingReserves(row);
  draft.events.push(
    {
      kind: 'launch',
      outerIx,
      innerIx: -1,
      venue,
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
    },
    {
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
    },
  );
  draft.events.push(
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
  );
  const { walletsPerMint } = market.options;
  const lamports = walletsPerMint === null ? drawLamports(market) : FIRST_BUY_LAMPORTS;
  addPurchaseParts(market, draft, { row, wallet, lamports });
  addTransaction(market, draft);
}

/** The creator's purchase in a market in which each wallet buys once. */
const FIRST_BUY_LAMPORTS = 10_000_000;

/** The move of a complete curve's holdings to a pool, whose LP tokens are burned. */
export function addMigration(market: MarketContext): void {
  const { state, markets } = market;
  const row = state.counters.migrating - 1;
  state.counters.migrating = 0;
  const from = markets.addressesOf(row);
  const { venue: curveVenue, programId } = markets.venueOf(row);
  const quoteRaw = state.mints.quote[row] as number;
  const baseRaw = SUPPLY_RAW - CURVE_BASE_RAW;
  const decimals = market.state.mints.isStableQuoted[row] === 1 ? 6 : 9;
  markets.movePool(row, baseRaw, quoteRaw);
  const to = markets.addressesOf(row);
  const { venue } = markets.venueOf(row);
  const draft = new TransactionDraft(addressOf(KIND.authority, 0), programId);
  const outerIx = draft.outerIx++;
  const amounts = { baseRaw: toRaw(baseRaw), quoteRaw: toRaw(quoteRaw) };
  const lpMint = addressOf(KIND.lpMint, row);
  const lpRaw = toRaw(LP_RAW);
  const { mint, quoteMint } = to;
  draft.events.push(
    {
      kind: 'migrate',
      outerIx,
      innerIx: -1,
      venue: curveVenue,
      mint,
      fromPool: from.pool,
      toPool: to.pool,
      ...amounts,
    },
    {
      kind: 'poolCreated',
      outerIx,
      innerIx: 4,
      venue,
      pool: to.pool,
      baseMint: mint,
      quoteMint,
      baseDecimals: TOKEN_DECIMALS,
      quoteDecimals: decimals,
      creator: from.pool,
      vaultOwner: to.vaultOwner,
      ...amounts,
      lpMint,
      lpRaw,
    },
    {
      kind: 'tokenTransfer',
      outerIx,
      innerIx: 20,
      transferKind: 'burn',
      mint: lpMint,
      fromOwner: from.pool,
      toOwner: null,
      amountGross: lpRaw,
      feeWithheld: toRaw(0),
      burnVenue: curveVenue,
    },
  );
  const part = { mint, decimals: TOKEN_DECIMALS };
  draft.balance({
    ...part,
    account: from.baseVault,
    owner: from.vaultOwner,
    before: baseRaw,
    after: 0,
  });
  draft.balance({
    ...part,
    account: to.baseVault,
    owner: to.vaultOwner,
    before: 0,
    after: baseRaw,
  });
  const paid = { account: to.quoteVault, owner: to.vaultOwner, mint: quoteMint, decimals };
  draft.balance({ ...paid, before: 0, after: quoteRaw });
  addTransaction(market, draft);
}

/** LP tokens of a new pool. */
const LP_RAW = 4_000_000_000_000;
