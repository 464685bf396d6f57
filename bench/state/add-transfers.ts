import type { LockTerms } from '../../src/model/chain-event.ts';
import { SPL_TOKEN_PROGRAM, SYSTEM_PROGRAM } from '../../src/model/program.ts';
import { type Address, asAddress } from '../../src/model/units.ts';
import { chooseKnownWallet, receiversOf } from './choose-trade.ts';
import {
  accountAddress,
  addTransaction,
  FIRST_RECEIVER,
  type MarketContext,
  walletAddress,
} from './market-context.ts';
import { BOTS, FIRST_LAUNCH_ROW, SLOT_MS, START_MS } from './market-options.ts';
import { addressOf, KIND, personalNumber, programOwnedNumber } from './numbered-texts.ts';
import { mixed, mixedShare } from './random-numbers.ts';
import { type MintPositions, positionsOf } from './trade-parts.ts';
import { TransactionDraft, toRaw } from './transaction-draft.ts';

const TOKEN_DECIMALS = 6;
/** Wallets that receive a payment before their first trade. Others were paid before the history. */
const FUNDED_SHARE = 0.65;
/** Payments reach wallets this many wallets before they trade. */
const FUNDED_AHEAD = 1_500;
/** Wallets that are paid by exchanges; each other one is paid with its neighbours, by one wallet. */
const EXCHANGE_SHARE = 0.7;
const NEIGHBOURS = 3;
/** Payments of traders that go to an exchange. */
const DEPOSIT_SHARE = 0.75;
/** Hot wallets of exchanges, as in the registry. */
const EXCHANGES = [
  '2ojv9BAiHUrvsm9gxDe7fJSzbNZSJcxZvf8dqmWGHG8S',
  '43DbAvKxhXh1oSxkJSqGosNw3HpBnmsWiak6tB5wpecN',
  'BbHG9GvPActFGogv3iNrpDAj4qpXr8t3jF16uGxXcKci',
  '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
].map(asAddress);

const TRIES_STEP = 2 ** 24;
/** Launches, the latest first, in which tokens are sent or locked. */
const SENT_TRIES = 4;
const DAY_MS = 86_400_000;

/** Pays the next wallets that will trade, at most `max` of them. */
export function addFunding(market: MarketContext, max: number): void {
  const { counters, random } = market.state;
  const last = Math.min(counters.wallets + FUNDED_AHEAD, counters.funded + max);
  for (; counters.funded < last; counters.funded++) {
    const wallet = counters.funded;
    if (wallet < BOTS || mixedShare(wallet, 0xf00d) >= FUNDED_SHARE) continue;
    const draft = new TransactionDraft(funderOf(wallet), SYSTEM_PROGRAM);
    const lamports = 20_000_000 * 2 ** random.below(7) + random.below(20_000_000);
    draft.pay('transfer', draft.payer, walletAddress(wallet), lamports);
    addTransaction(market, draft);
  }
}

/** A payment of a wallet that trades, mostly to an exchange, otherwise to another one. */
export function addPayment(market: MarketContext): void {
  if (market.state.counters.wallets === 0) return;
  const draft = new TransactionDraft(walletAddress(chooseKnownWallet(market)), SYSTEM_PROGRAM);
  const lamports = 3_000_000 * (1 + market.state.random.below(1_000));
  const { random } = market.state;
  const to = random.isWithin(DEPOSIT_SHARE)
    ? EXCHANGES[random.below(EXCHANGES.length)]
    : walletAddress(chooseKnownWallet(market));
  draft.pay('transfer', draft.payer, to ?? draft.payer, lamports);
  addTransaction(market, draft);
}

/** A failed trade of a bot. Failed transactions have no events. */
export function addFailure(market: MarketContext): void {
  const { random, mints, counters } = market.state;
  if (counters.wallets === 0) return;
  const wallet = random.below(Math.min(BOTS, counters.wallets));
  const { programId } = market.markets.venueOf(random.below(mints.count));
  addTransaction(market, new TransactionDraft(walletAddress(wallet), programId), SLIPPAGE);
}

/** An exchange's error for exceeded slippage. */
const SLIPPAGE = '{"InstructionError":[3,{"Custom":6001}]}';

/** A wallet sends the tokens of a position to another wallet, into a new account. */
export function addTokenTransfer(market: MarketContext): void {
  const { state, markets } = market;
  const sent = chooseSent(market);
  if (sent === null) return;
  const { row, positions, list, index } = sent;
  const amount = positions.amount(list, index);
  const from = positions.account(list, index);
  const sender = positions.wallet(list, index);
  const receiver = receiverOf(state.random.below(receiversOf(state.counters.wallets)));
  const to = state.counters.accounts++;
  positions.remove(list, index);
  positions.add(list, receiver, to, amount);
  const draft = new TransactionDraft(walletAddress(sender), SPL_TOKEN_PROGRAM);
  const { mint } = markets.addressesOf(row);
  const toOwner = walletAddress(receiver);
  const [source, target] = [accountAddress(from), accountAddress(to)];
  draft.openAccount(target);
  addSent(draft, mint, toOwner, amount);
  const part = { mint, decimals: TOKEN_DECIMALS };
  draft.balance({ ...part, account: source, owner: draft.payer, before: amount, after: 0 });
  draft.balance({ ...part, account: target, owner: toOwner, before: 0, after: amount });
  addTransaction(market, draft);
}

/** A wallet locks the tokens of a position for a time, or for ever. */
export function addTokenLock(market: MarketContext): void {
  const { state, markets } = market;
  const sent = chooseSent(market);
  if (sent === null) return;
  const { row, positions, list, index } = sent;
  const amount = positions.amount(list, index);
  const account = positions.account(list, index);
  const draft = new TransactionDraft(walletAddress(positions.wallet(list, index)), STREAMFLOW);
  positions.remove(list, index);
  const escrow = addressOf(KIND.escrow, state.counters.transactions);
  const { mint } = markets.addressesOf(row);
  const lockOwner = addressOf(KIND.authority, lockerNumber());
  draft.openAccount(escrow);
  addSent(draft, mint, lockOwner, amount);
  draft.events.push({
    kind: 'tokenLock',
    outerIx: draft.outerIx - 1,
    innerIx: 1,
    locker: 'streamflow',
    escrow,
    mint,
    owner: draft.payer,
    escrowDelta: toRaw(amount),
    terms: drawTerms(market),
  });
  const part = { mint, decimals: TOKEN_DECIMALS };
  const text = accountAddress(account);
  draft.balance({ ...part, account: text, owner: draft.payer, before: amount, after: 0 });
  draft.balance({ ...part, account: escrow, owner: lockOwner, before: 0, after: amount });
  addTransaction(market, draft);
}

const STREAMFLOW = asAddress('strmRqUCoQUgGUan5YhzUZa6KqdzwX5L6FpUxfmKg5m');

function drawTerms({ state: { random, counters } }: MarketContext): LockTerms {
  const isPermanent = random.isWithin(0.1);
  const nowMs = START_MS + counters.slots * SLOT_MS;
  const unlockTimeMs = isPermanent ? null : nowMs + (1 + random.below(365)) * DAY_MS;
  return {
    isPermanent,
    firstUnlockTimeMs: unlockTimeMs,
    lastUnlockTimeMs: unlockTimeMs,
    isRevocable: false,
  };
}

function addSent(draft: TransactionDraft, mint: Address, toOwner: Address, amount: number): void {
  draft.events.push({
    kind: 'tokenTransfer',
    outerIx: draft.outerIx++,
    innerIx: -1,
    transferKind: 'transfer',
    mint,
    fromOwner: draft.payer,
    toOwner,
    amountGross: toRaw(amount),
    feeWithheld: toRaw(0),
  });
}

interface SentPosition extends MintPositions {
  readonly row: number;
  readonly index: number;
}

/** A position of a launch; null if none is found soon. */
function chooseSent(market: MarketContext): SentPosition | null {
  const { random, mints } = market.state;
  const launches = mints.count - FIRST_LAUNCH_ROW;
  for (let tried = 0; tried < SENT_TRIES && launches > 0; tried++) {
    const row = mints.count - random.log(launches);
    const found = positionsOf(market, row);
    const size = found === null ? 0 : found.positions.sizeOf(found.list);
    if (found !== null && size > 0) return { ...found, row, index: random.below(size) };
  }
  return null;
}

/** Wallets of one group have the same funder. */
function funderOf(wallet: number): Address {
  if (mixedShare(wallet, 0xce4) < EXCHANGE_SHARE) {
    return EXCHANGES[mixed(wallet, 0xce5) % EXCHANGES.length] as Address;
  }
  const group = Math.floor(wallet / NEIGHBOURS);
  return walletAddress(mixed(group, 0x9a4) % Math.max(1, wallet));
}

/** The wallet number of a receiver, whose address is a person's. */
const receivers = new Map<number, number>();

function receiverOf(index: number): number {
  const known = receivers.get(index);
  if (known !== undefined) return known;
  const wallet = FIRST_RECEIVER + personalNumber(KIND.receiver, index, TRIES_STEP);
  receivers.set(index, wallet);
  return wallet;
}

let locker: number | null = null;

/** The number of the authority that owns the locked tokens; a program's address. */
function lockerNumber(): number {
  locker ??= programOwnedNumber(KIND.authority, 1, 1);
  return locker;
}
