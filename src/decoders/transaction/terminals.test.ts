import { describe, expect, test } from 'vitest';
import { address } from '../../../tests/support/build-transaction.ts';
import type { SolTransfer, TokenTransfer } from '../../model/chain-event.ts';
import { USDC } from '../../model/program.ts';
import { type Address, asAddress, asLamports, asRawAmount } from '../../model/units.ts';
import { ROUTER_PROGRAMS } from './router-programs.ts';
import { terminalOf } from './terminals.ts';

const BONKBOT = asAddress('ZG98FUCjb8mJ824Gbs6RsgVmr1FhXb2oNiJHa2dwmPd');
const TROJAN = asAddress('9yMwSPk9mrXSN7yDHUuZurAh1sjbJsfpUqjZ7SvVtdco');
const USER = address('user');
const PHOTON_PROGRAM = asAddress(ROUTER_PROGRAMS.photon);

describe('a transaction is assigned to the terminal', () => {
  test('whose program it calls, whatever fees it pays', () => {
    expect(terminalOf([address('budget'), PHOTON_PROGRAM], [])).toBe('photon');
    expect(terminalOf([PHOTON_PROGRAM], [solTo(BONKBOT)])).toBe('photon');
  });

  test.each([
    ['term9YPb9mzAsABaqN71A4xdbxHmpBNZavpBiQKZzN3', 'padre'],
    ['troyXT7Ty3s2rjJe4bqWaroUrS4Fjd8rbHHNHxcACF4', 'trojan'],
    ['GMgnVFR8Jb39LoXsEVzb3DvBy3ywCmdmJquHUy1Lrkqb', 'gmgn'],
    ['GMGNreQcJFufBiCTLDBgKhYEfEe9B454UjpDr5CaSLA1', 'gmgn'],
    ['BANANAjs7FJiPQqJTGFzkZJndT9o7UmKiYYGaJz6frGu', 'banana_gun'],
    ['NoVA1TmDUqksaj2hB1nayFkPysjJbFiU76dT4qPw2wm', 'nova'],
  ])('whose program is %s', (program, terminal) => {
    expect(terminalOf([asAddress(program)], [])).toBe(terminal);
  });

  test('that it pays in SOL or in tokens', () => {
    expect(terminalOf([], [solTo(address('friend')), solTo(BONKBOT)])).toBe('bonkbot');
    expect(terminalOf([], [tokensTo(TROJAN)])).toBe('trojan');
  });

  test('that it pays first', () => {
    expect(terminalOf([], [tokensTo(TROJAN), solTo(BONKBOT)])).toBe('trojan');
  });
});

describe('a transaction has no terminal', () => {
  test('when it calls and pays no known one', () => {
    const jupiter = asAddress(ROUTER_PROGRAMS.jupiter_v6);
    expect(terminalOf([jupiter], [solTo(address('friend')), tokensTo(null)])).toBeNull();
  });

  test('when the terminal pays, receives nothing, or receives its own balance', () => {
    const paid = { ...solTo(USER), from: BONKBOT };
    const closed = { ...solTo(BONKBOT), transferKind: 'closeRefund' } as const;
    expect(terminalOf([], [paid, closed])).toBeNull();
    expect(terminalOf([], [solTo(BONKBOT, 0n), tokensTo(TROJAN, 0n)])).toBeNull();
    expect(terminalOf([], [{ ...tokensTo(TROJAN), transferKind: 'mintTo' }])).toBeNull();
  });
});

function solTo(to: Address, lamports = 1_000_000n): SolTransfer {
  return {
    kind: 'solTransfer',
    outerIx: 0,
    innerIx: -1,
    transferKind: 'transfer',
    from: USER,
    to,
    lamports: asLamports(lamports),
  };
}

function tokensTo(toOwner: Address | null, amount = 5_000n): TokenTransfer {
  return {
    kind: 'tokenTransfer',
    outerIx: 0,
    innerIx: -1,
    transferKind: 'transfer',
    mint: USDC,
    fromOwner: USER,
    toOwner,
    amountGross: asRawAmount(amount),
    feeWithheld: asRawAmount(0n),
  };
}
