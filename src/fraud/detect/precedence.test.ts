import { describe, expect, it } from 'vitest';
import { named, signatureNamed } from '../../../tests/support/made-up-units.ts';

import type { Evidence, EvidenceType, Finding, FraudType } from '../../model/fraud.ts';
import { asLamports, asSlot } from '../../model/units.ts';
import { applyPrecedence } from './precedence.ts';

const transactions = (signatures: readonly string[]): Evidence => ({
  type: 'volume_manipulation',
  description: 'trades',
  weight: 0.6,
  payload: {
    kind: 'transaction',
    signatures: signatures.map(signatureNamed),
    slot: asSlot(1),
    wallets: [],
    lamports: asLamports(0n),
    usd: null,
    isBundled: false,
  },
});
const timing = (type: EvidenceType, description: string): Evidence => ({
  ...{ type, description, weight: 0.4 },
  payload: { kind: 'timing', timesMs: [], slots: [], pattern: 'sell_drop_rebuy' },
});
const FLOW = { name: 'flow', measured: 0.5, ramp: [0.2, 0.8], value: 0.5, weight: 2.2 } as const;
const finding = (fraudType: FraudType, evidence: readonly Evidence[]): Finding => ({
  ...{ fraudType, mint: named('mint'), pool: null, bias: 0, features: [FLOW] },
  ...{ rawScore: 0.9, confidence: 0.9, evidence, wallets: [], valueAtRiskUsd: null },
  ...{ clusterRoot: named('root'), patternStartSlot: asSlot(1) },
});
const signed = (count: number) => Array.from({ length: count }, (_, at) => `s${at}`);

const laundering = finding('bundle_and_launder', [
  transactions(signed(7)),
  timing('suspicious_timing', 'last of all'),
]);
const dump = (count: number) =>
  finding('fake_dump', [
    transactions(signed(count)),
    timing('price_manipulation', 'the price fell'),
    timing('suspicious_timing', 'a fright'),
  ]);

describe('a fake dump next to a bundle-and-launder', () => {
  it('is removed when it shares seven tenths of its transactions; price evidence is kept', () => {
    const [only, ...others] = applyPrecedence([laundering, dump(10)]);
    expect(others).toEqual([]);
    expect(only?.evidence.map(({ type, weight }) => [type, weight])).toEqual([
      ['volume_manipulation', 0.6],
      ['price_manipulation', 0],
      ['suspicious_timing', 0.4],
    ]);
    expect(only?.confidence).toBe(0.9);
  });

  it('is kept when it shares fewer', () => {
    const both = [laundering, dump(11)];
    expect(applyPrecedence(both)).toEqual(both);
  });

  it('is kept next to one that is too weak to be reported', () => {
    const doubtful = { ...laundering, confidence: 0.49 };
    expect(applyPrecedence([doubtful, dump(10)])).toEqual([doubtful, dump(10)]);
    expect(applyPrecedence([{ ...laundering, confidence: 0.5 }, dump(10)])).toHaveLength(1);
  });

  it('is kept next to one whose money was not seen to return', () => {
    const unseen = { ...laundering, features: [{ ...FLOW, measured: 0.2, value: 0 }] };
    expect(applyPrecedence([unseen, dump(10)])).toEqual([unseen, dump(10)]);
  });

  it('is kept if it lists no transactions or is the only finding', () => {
    expect(applyPrecedence([dump(10)])).toEqual([dump(10)]);
    expect(applyPrecedence([laundering, dump(0)])).toHaveLength(2);
  });

  it('does not change other findings', () => {
    const other = finding('wash_volume', [transactions(signed(7))]);
    expect(applyPrecedence([other, laundering])).toEqual([other, laundering]);
  });
});

describe('an exit next to a bundle-and-launder', () => {
  const exit = (count: number) =>
    finding('coordinated_exit', [
      transactions(signed(count)),
      timing('price_manipulation', 'a fall'),
    ]);

  it('is withdrawn when seven tenths of its transactions are those of the laundering', () => {
    expect(applyPrecedence([laundering, exit(10)])).toEqual([laundering]);
    expect(applyPrecedence([laundering, exit(11)])).toHaveLength(2);
  });

  it('is kept next to one that is too weak to be reported', () => {
    const doubtful = { ...laundering, confidence: 0.49 };
    expect(applyPrecedence([doubtful, exit(7)])).toHaveLength(2);
  });
});
