import { describe, expect, test } from 'vitest';
import {
  buildClassification,
  classificationId,
} from '../../../../tests/support/build-classification.ts';
import { address } from '../../../../tests/support/build-transaction.ts';
import {
  asOfFakeSlot,
  fakeApiDeps,
  fakeWallet,
  NOW_MS,
  READ_KEY,
} from '../../../../tests/support/fake-api-deps.ts';
import { fakeApiServer } from '../../../../tests/support/fake-api-server.ts';
import { compareWallets } from './compare-wallets.ts';

const [FIRST, SECOND, THIRD] = [address('first'), address('second'), address('third')];

/** A finding of the number with these wallets. */
function findingWith(number: number, addresses: readonly (typeof FIRST)[]) {
  const built = buildClassification({ id: classificationId(number) });
  const [wallet] = built.finding.wallets;
  if (wallet === undefined) throw new Error('the finding has no wallet');
  const wallets = addresses.map((each) => ({ ...wallet, address: each }));
  const classification = { ...built, finding: { ...built.finding, wallets } };
  return { classification, status: 'active' as const };
}

describe('compare_wallets', () => {
  test('shares the findings that both take part in, not those of the first alone', async () => {
    const deps = fakeApiDeps();
    const findings = [findingWith(1, [FIRST, THIRD]), findingWith(2, [THIRD, SECOND, FIRST])];
    const server = fakeApiServer({
      wallets: {
        ...deps.wallets,
        find: async (each) => asOfFakeSlot(fakeWallet({ address: each })),
      },
      fraud: { ...deps.fraud, list: async () => asOfFakeSlot({ findings, next: null }) },
    });
    const text = await compareWallets.call(
      { first_address: FIRST, second_address: SECOND },
      {
        nowMs: () => NOW_MS,
        ask: async (path) => {
          const { statusCode, body, headers } = await server.inject({
            url: path,
            headers: { 'x-api-key': READ_KEY },
          });
          return { status: statusCode, text: body, header: (name) => String(headers[name]) };
        },
      },
    );
    const answer = JSON.parse(text);
    expect(answer.shared_findings.map(({ id }: { id: string }) => id)).toEqual([
      classificationId(2),
    ]);
    expect(answer).toMatchObject({ are_all_findings_read: true, are_all_links_read: true });
  });
});
