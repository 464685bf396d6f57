import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildChanges } from '../../tests/support/build-records.ts';
import { address } from '../../tests/support/build-transaction.ts';
import { fakeToken } from '../../tests/support/fake-api-deps.ts';
import type { TokenRecord } from '../model/token-record.ts';
import { asSlot } from '../model/units.ts';
import type { CreatedTokenCursor, CreatedTokenQuery } from '../model/wallet-lists.ts';
import { CurrentCreatedTokens } from './current-created-tokens.ts';
import { UnwrittenRows } from './unwritten-rows.ts';

const [creator, other] = [address('creator'), address('other')];

/** Versions of eight tokens: creators and creation slots may become known later. */
const versions = fc.array(
  fc
    .record({
      number: fc.nat(7),
      slot: fc.integer({ min: 100, max: 110 }),
      creator: fc.constantFrom(null, creator, creator, other),
      creationSlot: fc.constantFrom(null, 50, 51, 60),
    })
    .map(({ number, slot, creationSlot, ...rest }) =>
      fakeToken({
        ...{ mint: address(`token ${number}`), slot: asSlot(slot), ...rest },
        creationSlot: creationSlot === null ? null : asSlot(creationSlot),
      }),
    ),
  { maxLength: 16 },
);

function newest(tokens: readonly TokenRecord[]): TokenRecord[] {
  const byMint = new Map<string, TokenRecord>();
  for (const one of tokens) {
    if ((byMint.get(one.mint)?.slot ?? 0) <= one.slot) byMint.set(one.mint, one);
  }
  return [...byMint.values()];
}

/** The order of the list, by a key that sorts as text: 9 for an unknown slot. */
function sorted(tokens: readonly TokenRecord[]): TokenRecord[] {
  const keyOf = ({ creationSlot, mint }: TokenRecord) =>
    `${creationSlot === null ? 999 : 100 - creationSlot} ${mint}`;
  return tokens
    .filter((token) => token.creator === creator)
    .toSorted((one, two) => (keyOf(one) < keyOf(two) ? -1 : 1));
}

/** Answers as the database does. */
const storeOf = (written: readonly TokenRecord[]) => ({
  async of({ after, limit }: CreatedTokenQuery) {
    const all = sorted(newest(written));
    const isPast = (token: TokenRecord) =>
      after === null ||
      (sorted([{ ...token, creationSlot: after.slot, mint: after.mint }, token])[0]?.mint ===
        after.mint &&
        token.mint !== after.mint);
    return all.filter(isPast).slice(0, limit);
  },
});

test('created tokens are those of all newest versions, wherever the store ends, on any page', async () => {
  await fc.assert(
    fc.asyncProperty(
      ...[versions, fc.integer({ min: 99, max: 111 }), fc.integer({ min: 1, max: 4 })],
      async (all, lastStored, limit) => {
        const stored = all.filter(({ slot }) => slot <= lastStored);
        const unwritten = [
          ...Map.groupBy(
            all.filter(({ slot }) => slot > lastStored),
            ({ slot }) => slot,
          ),
        ]
          .sort(([one], [two]) => one - two)
          .map(([slot, tokens]) => ({ changes: buildChanges(slot, { tokens }) }));
        const current = new CurrentCreatedTokens(
          storeOf(stored),
          new UnwrittenRows(() => unwritten),
        );
        const listed: TokenRecord[] = [];
        let after: CreatedTokenCursor | null = null;
        do {
          const page = await current.page({ creator, after, limit });
          expect(page.tokens.length).toBeLessThanOrEqual(limit);
          listed.push(...page.tokens);
          after = page.next;
        } while (after !== null);
        expect(listed).toEqual(sorted(newest(all)));
      },
    ),
    { numRuns: 200 },
  );
});
