import { describe, expect, test } from 'vitest';
import { concat, u32, u64 } from '../../../tests/support/borsh-bytes.ts';
import { swapEvent } from '../../../tests/support/build-facts.ts';
import {
  address,
  buildTransaction,
  type InstructionDraft,
} from '../../../tests/support/build-transaction.ts';
import { sendLamports } from '../../../tests/support/token-instructions.ts';
import type { ChainEvent } from '../../model/chain-event.ts';
import { SYSTEM_PROGRAM, USDC, WRAPPED_SOL } from '../../model/program.ts';
import type { Swap } from '../../model/swap.ts';
import { asRawAmount } from '../../model/units.ts';
import { TransactionView } from '../transaction/transaction-view.ts';
import { settleNativeCurves } from './native-curve.ts';

const PUMP = address('pump program');
const CURVE = address('curve');

/**
 * A buy pays its SOL into the curve by a system transfer; a sell is paid from the curve's lamports.
 */
const BUY = { program: PUMP, inner: [sendLamports('wallet', CURVE, 700n)] };
const SALE = { program: PUMP };

const MIGRATION: ChainEvent = {
  kind: 'migrate',
  outerIx: 1,
  innerIx: -1,
  venue: 'pump',
  mint: address('token-t'),
  fromPool: CURVE,
  toPool: address('pool'),
  baseRaw: asRawAmount(1n),
  quoteRaw: asRawAmount(1n),
};

describe('the SOL legs of a curve', () => {
  test('are accepted when they add up to the gain of the curve', () => {
    expect(
      quarantines([BUY, SALE], [curveSwap(0, 700n), curveSwap(1, -300n)], [1_000n, 1_400n]),
    ).toEqual([null, null]);
  });

  test('are all quarantined when they do not', () => {
    const reason = 'curve gained 399 lamports, its swaps explain 400';
    expect(
      quarantines([BUY, SALE], [curveSwap(0, 700n), curveSwap(1, -300n)], [1_000n, 1_399n]),
    ).toEqual([reason, reason]);
  });

  test('are separated from rent and gifts', () => {
    const create = {
      program: SYSTEM_PROGRAM,
      accounts: [address('wallet'), CURVE],
      data: concat(u32(0), u64(90n), u64(49n), new Uint8Array(32)),
    };
    const gift = sendLamports('wallet', CURVE, 5n);
    const bought = { program: PUMP, inner: [create, sendLamports('wallet', CURVE, 700n)] };
    expect(quarantines([bought, gift], [curveSwap(0, 700n)], [0n, 795n])).toEqual([null]);
    expect(quarantines([bought, gift], [curveSwap(0, 700n)], [0n, 700n])).toEqual([
      'curve gained 700 lamports, its swaps explain 795',
    ]);
  });

  test.each(['moonshot', 'boop'] as const)('are checked on %s too', (venue) => {
    expect(quarantines([BUY], [{ ...curveSwap(0, 700n), venue }], [1_000n, 1_699n])).toEqual([
      'curve gained 699 lamports, its swaps explain 700',
    ]);
  });

  test('are checked in the buy that completes the curve', () => {
    const swaps = [curveSwap(0, 700n), completion(0)];
    expect(quarantines([BUY], swaps, [1_000n, 1_699n])).toEqual([
      'curve gained 699 lamports, its swaps explain 700',
    ]);
  });

  test('are checked next to the migration of another curve', () => {
    const swaps = [curveSwap(0, 700n), { ...MIGRATION, fromPool: address('other curve') }];
    expect(quarantines([BUY, SALE], swaps, [1_000n, 1_699n])).toEqual([
      'curve gained 699 lamports, its swaps explain 700',
    ]);
  });

  test('of two curves are checked separately', () => {
    const other = { ...curveSwap(1, -300n), pool: address('other curve') };
    expect(
      quarantines([BUY, SALE], [curveSwap(0, 700n), other], [1_000n, 1_700n], [900n, 0n]),
    ).toEqual([null, 'curve gained -900 lamports, its swaps explain -300']);
  });
});

describe('fees that stay on a curve', () => {
  const kept = (swap: Swap, quote: bigint): Swap => ({
    ...swap,
    keptFees: { base: asRawAmount(0n), quote: asRawAmount(quote) },
  });
  const swept = (outerIx: number, amountRaw: bigint): ChainEvent => ({
    kind: 'feeSweep',
    outerIx,
    innerIx: -1,
    venue: 'pump',
    pool: CURVE,
    mint: WRAPPED_SOL,
    bucket: 'protocol',
    amountRaw: asRawAmount(amountRaw),
    poolDelta: asRawAmount(0n),
  });

  test('are added to a buy and deducted from a sell', () => {
    // 700 transferred, of which 9 are fees; 300 sold, of which 4 stay: 1,000 + 700 - 296.
    const swaps = [kept(curveSwap(0, 691n), 9n), kept(curveSwap(1, -300n), 4n)];
    expect(quarantines([BUY, SALE], swaps, [1_000n, 1_404n])).toEqual([null, null]);
    expect(quarantines([BUY, SALE], swaps, [1_000n, 1_400n])).toEqual([
      'curve gained 400 lamports, its swaps explain 404',
      'curve gained 400 lamports, its swaps explain 404',
    ]);
  });

  test('leave it in sweeps, which are not trades', () => {
    const swaps = [kept(curveSwap(0, 691n), 9n), swept(1, 50n)];
    expect(quarantines([BUY, SALE], swaps, [1_000n, 1_650n])).toEqual([null]);
    expect(quarantines([BUY, SALE], swaps, [1_000n, 1_700n])).toEqual([
      'curve gained 700 lamports, its swaps and sweeps explain 650',
    ]);
  });
});

describe('nothing is checked', () => {
  test('when the quote is a token or another venue traded', () => {
    const swaps = [
      { ...curveSwap(0, 1n), quoteMint: USDC },
      { ...curveSwap(1, 1n), venue: 'pump_amm' as const },
    ];
    expect(quarantines([BUY, SALE], swaps, [0n, 0n])).toEqual([null, null]);
  });

  test('when the curve migrated and was therefore emptied', () => {
    expect(quarantines([BUY, SALE], [curveSwap(0, 700n), MIGRATION], [1_000n, 0n])).toEqual([null]);
  });

  test('when a separate instruction completed the curve and took its holdings', () => {
    expect(quarantines([BUY, SALE], [curveSwap(0, 700n), completion(1)], [1_000n, 0n])).toEqual([
      null,
    ]);
  });
});

function completion(outerIx: number): ChainEvent {
  const mint = address('token-t');
  return { kind: 'curveComplete', outerIx, innerIx: -1, venue: 'pump', mint, pool: CURVE };
}

function curveSwap(outerIx: number, poolQuoteDelta: bigint): Swap {
  const side = poolQuoteDelta > 0n ? 'buy' : 'sell';
  const quoteRaw = poolQuoteDelta > 0n ? poolQuoteDelta : -poolQuoteDelta;
  return swapEvent(
    { trader: address('wallet'), side, baseRaw: 10n, quoteRaw },
    { venue: 'pump', pool: CURVE, outerIx },
  );
}

/** The quarantine of each swap, given the curves' lamports before and after. */
function quarantines(
  instructions: readonly InstructionDraft[],
  events: readonly ChainEvent[],
  curve: readonly [bigint, bigint],
  otherCurve: readonly [bigint, bigint] = [0n, 0n],
): (string | null)[] {
  const transaction = buildTransaction({
    signers: [address('wallet')],
    instructions,
    lamports: { [CURVE]: curve, [address('other curve')]: otherCurve },
  });
  const settled = [...events];
  settleNativeCurves(settled, new TransactionView(transaction, (program) => program === PUMP));
  return settled.flatMap((event) => (event.kind === 'swap' ? [event.quarantine] : []));
}
