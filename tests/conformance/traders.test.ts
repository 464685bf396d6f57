import { beforeAll, describe, expect, test } from 'vitest';
import { decodeTransaction } from '../../src/decoders/decode-transaction.ts';
import { Tally } from '../../src/decoders/tally.ts';
import type { Swap } from '../../src/model/swap.ts';
import { isOnCurve } from '../support/ed25519-curve.ts';
import { hasOracle, loadOracle, type Oracle, type OracleReport } from '../support/oracle.ts';
import {
  RECORD_FOLDERS,
  type RecordFolder,
  recordedTransactions,
} from '../support/recorded-transactions.ts';
import { hasTestData } from '../support/test-data.ts';

/** Swaps, and how many of them have no nameable trader, by folder. */
const COUNTS: Readonly<Record<RecordFolder, { readonly swaps: number; readonly nulls: number }>> = {
  chain: { swaps: 351, nulls: 5 },
  'chain-2026': { swaps: 406, nulls: 0 },
};

/** Every swap without a trader, and the reason. */
const NULL_REASONS: Readonly<Record<string, string>> = {
  '3ebFK5U7CTax2BigHRFT2ydLJWzj3zAmDCbTGCdFAVCF5vMLLkJkco2ggVS2YTKfze1wpXrLxyidHXcEqUhx7aKu 2.2':
    "Drift fills a user's order on Phoenix: JCNCM… owns the vaults of all its users, a keeper signs",
  '2GMpqA7duENGaEXJUuP712J3tvX25uU45ZQ8vZdszXVUHyiAwo9byn3vVSVRgxks1PKX7H4wrBcE3FXqH1q6mRa1 2.1':
    'Jupiter DCA: 7WZc… is the escrow that paid 1428571, DHq9… gets 44075880; only the keeper signs',
  'S3z6oPjogs9VcYYdCugJVNe25VavQQNxp71BaeY65aSox3rrSWQs3UgGVM3Bu1FcRRGN2pcydgwUqpHfWWC4mi7 2.1':
    'Jupiter DCA: DbQV… is the escrow that paid 2777777, 9QC3… gets 4059345; only the keeper signs',
  'S3z6oPjogs9VcYYdCugJVNe25VavQQNxp71BaeY65aSox3rrSWQs3UgGVM3Bu1FcRRGN2pcydgwUqpHfWWC4mi7 2.5':
    'the second pool of the same order',
  'S3z6oPjogs9VcYYdCugJVNe25VavQQNxp71BaeY65aSox3rrSWQs3UgGVM3Bu1FcRRGN2pcydgwUqpHfWWC4mi7 2.10':
    'the third pool of the same order',
};

/**
 * Judged by hand; eight characters of the signature and five of the trader's address: transactions
 * where the trader is not the fee payer, or not the owner of the accounts that paid the pool.
 */
const JUDGED: readonly { readonly start: string; readonly trader: string; readonly why: string }[] =
  [
    {
      start: '5y6E4aAe',
      trader: 'EgNkh',
      why: 'Af5q… pays the fee and nothing else changes for it; EgNk… signs, gives 8345921440 lamports to a router (6.0) and gets 729249910 USDT from it (6.9)',
    },
    {
      start: '4aQ4oYFr',
      trader: 'GQJYU',
      why: '54Pz… pays the fee and swaps through accounts that end as they began; GQJY… signs and gives it the 1064462027426 tokens that are sold (2.0)',
    },
    {
      start: '2m5nWLnD',
      trader: 'BwWK1',
      why: "BwWK… is off the curve: the mayhem program's wallet pays 3517192 USDC (2.2) and gets 445377137871 tokens (2.1); Gygj… only pays the fee",
    },
    {
      start: 'vRYNRDqs',
      trader: '6x7Tp',
      why: '6x7T… is off the curve: a vault that pays and gets all legs and ends with 77435 lamports more; EATR… signs and is paid back its tip (2.9)',
    },
    {
      start: 'k1LPbZb3',
      trader: 'DNfu7',
      why: 'DNfu7… signs and pays the lamports of both purchases (5.1, 7.1); the tokens of the second go to DNfuF…, who does not sign',
    },
    {
      start: 'szD3dwJV',
      trader: '4Z4Rr',
      why: 'C68i… pays the fee and lends the lamports; 4Z4R… signs and gets the 35866261398 tokens',
    },
    {
      start: '3p36wGRa',
      trader: 'GKj54',
      why: 'the accounts of the router HV1K… pay both pools; GKj5… signs, gives 250000000 USDC and gets 6373264828 tokens',
    },
    {
      start: '3HdFhHNy',
      trader: '71WDy',
      why: 'a keeper takes 182560735 USDC of an order into its own account, buys 83423 with its own signature, gives the order 81138 and keeps 2285: it traded with the pool, the order with it',
    },
  ];

describe.skipIf(!hasTestData || !hasOracle)('traders of recorded swaps', () => {
  let oracle: Oracle;

  beforeAll(async () => {
    oracle = await loadOracle();
  });

  test.each(RECORD_FOLDERS)('are among those that the recorded balances allow: %s', (folder) => {
    const wrong: string[] = [];
    const nulls: string[] = [];
    const counts = { swaps: 0, feePayerWouldBeWrong: 0 };
    for (const { swap, report } of recordedSwaps(oracle, folder)) {
      const place = `${report.signature} ${swap.outerIx}.${swap.innerIx}`;
      const allowed = tradersAllowed(report, swap);
      counts.swaps++;
      if (!allowed.includes(report.signers[0] ?? '')) counts.feePayerWouldBeWrong++;
      if (swap.trader === null) nulls.push(place);
      else if (!allowed.includes(swap.trader)) wrong.push(`${place} ${swap.trader}`);
    }
    process.stdout.write(
      `traders, ${folder}: ${JSON.stringify({ ...counts, wrong: wrong.length, nulls: nulls.length })}\n`,
    );
    expect(wrong).toEqual([]);
    expect(nulls.filter((place) => !(place in NULL_REASONS))).toEqual([]);
    expect({ swaps: counts.swaps, nulls: nulls.length }).toEqual(COUNTS[folder]);
  });

  test('are those determined by hand', () => {
    const named = new Map<string, Set<string>>(JUDGED.map(({ start }) => [start, new Set()]));
    for (const folder of RECORD_FOLDERS) {
      for (const { swap, report } of recordedSwaps(oracle, folder)) {
        named.get(report.signature.slice(0, 8))?.add(String(swap.trader).slice(0, 5));
      }
    }
    for (const { start, trader, why } of JUDGED) {
      expect(named.get(start), `${start}: ${why}`).toEqual(new Set([trader]));
    }
  });
});

function* recordedSwaps(
  oracle: Oracle,
  folder: RecordFolder,
): Iterable<{ readonly swap: Swap; readonly report: OracleReport }> {
  for (const { chain, transaction } of recordedTransactions(oracle, folder)) {
    const report = oracle.analyse(transaction);
    for (const event of decodeTransaction(chain, 0, new Tally()).events) {
      if (event.kind === 'swap') yield { swap: event, report };
    }
  }
}

/**
 * The traders that the record allows, from signatures and balances before and after alone: signers
 * whose tokens changed; without any, an owner off the curve that authorised the payment into the
 * pool and whose tokens changed; without one, signers whose lamports changed. If none remains,
 * naming any trader is wrong.
 */
function tradersAllowed(report: OracleReport, swap: Swap): readonly string[] {
  const owners = new Set(report.ownerDeltas.map(({ owner }) => owner));
  const signers = report.signers.filter((signer) => owners.has(signer));
  if (signers.length > 0) return signers;
  const move = report.vaultMoves.find(
    ({ outerIx, innerIx }) => outerIx === swap.outerIx && (innerIx ?? -1) === swap.innerIx,
  );
  const user = move?.user ?? null;
  if (user !== null && owners.has(user) && !isOnCurve(user)) return [user];
  return report.signerSol.filter(({ delta }) => delta !== '0').map(({ owner }) => owner);
}
