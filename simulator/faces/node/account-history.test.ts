import { describe, expect, it } from 'vitest';
import { SPL_TOKEN_PROGRAM } from '../../../src/model/program.ts';
import { type Address, asAddress } from '../../../src/model/units.ts';
import { type Account, Ledger } from '../../chain/ledger.ts';
import type { ChainStep } from '../../market/world.ts';
import { AccountHistory } from './account-history.ts';

const MINT = asAddress('So11111111111111111111111111111111111111112');

function mintOf(supplyRaw: bigint): Account {
  const mint = { decimals: 0, supplyRaw, mintAuthority: null, freezeAuthority: null };
  return {
    lamports: 1n,
    program: SPL_TOKEN_PROGRAM,
    mint: { ...mint, transferFee: null },
    token: null,
    state: null,
  };
}

/** A block with one transaction that contains these keys. */
function step(slot: number, isCanonical: boolean, staticKeys: readonly Address[]): ChainStep {
  const transaction = { isVote: false, staticKeys, loadedWritable: [] };
  return { isCanonical, block: { slot, transactions: [transaction] } } as unknown as ChainStep;
}

function supplyAt(history: AccountHistory, slot: number, unsettled: readonly number[] = []) {
  return history.at(MINT, slot, (known) => unsettled.includes(known))?.mint?.supplyRaw;
}

describe('the account history', () => {
  it('ignores a dropped branch after the next block, even one without a change of the mint', () => {
    const ledger = new Ledger();
    const before = mintOf(5n);
    ledger.set(MINT, before);
    const history = new AccountHistory(ledger);
    ledger.set(MINT, mintOf(9n));
    history.observe(step(10, false, [MINT]), 0);
    expect(supplyAt(history, 10, [10])).toBe(9n);
    ledger.set(MINT, before);
    history.observe(step(11, true, []), 0);
    expect(supplyAt(history, 11)).toBe(5n);
  });

  it('keeps what can still be requested and drops the rest', () => {
    const ledger = new Ledger();
    const history = new AccountHistory(ledger);
    for (let slot = 1; slot <= 500; slot++) {
      ledger.set(MINT, mintOf(BigInt(slot)));
      history.observe(step(slot, true, [MINT]), slot - 30);
    }
    for (let slot = 470; slot <= 500; slot++) expect(supplyAt(history, slot)).toBe(BigInt(slot));
    expect(supplyAt(history, 300)).toBeUndefined();
  });

  it('does not return an account before the block that created it', () => {
    const ledger = new Ledger();
    const history = new AccountHistory(ledger);
    ledger.set(MINT, mintOf(1n));
    history.observe(step(7, true, [MINT]), 0);
    expect([supplyAt(history, 6), supplyAt(history, 7)]).toEqual([undefined, 1n]);
  });
});
