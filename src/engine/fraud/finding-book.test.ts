import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectStored } from '../../../tests/support/book-trial.ts';
import { aFinding, anEvidence, anInvolvedWallet } from '../../../tests/support/build-finding.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import { named } from '../../../tests/support/made-up-units.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import { UUID } from '../../lib/uuid.ts';
import type { Finding } from '../../model/fraud.ts';
import { asSlot } from '../../model/units.ts';
import { FindingBook } from './finding-book.ts';

const mint = named('mint');
const START_MS = 1_760_000_000_000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

function at(slot: number, timeMs = START_MS + slot * 400) {
  return { slot: asSlot(slot), timeMs, decimals: 6, calibrationVersion: 1 };
}

function wallets(...names: readonly string[]) {
  return names.map((name) => anInvolvedWallet(name));
}

function createBook(): FindingBook {
  return new FindingBook(new UndoLog());
}

describe('a new finding', () => {
  test('is published with an id, the slot and all of its data', () => {
    const finding = aFinding();
    const [published, ...others] = createBook().take(mint, [finding], at(102));
    expect(others).toEqual([]);
    expect(published?.id).toMatch(UUID);
    expect(published).toEqual({
      id: published?.id,
      finding,
      decimals: 6,
      state: 'active',
      detectionSlot: 102,
      slot: 102,
      updatedMs: START_MS + 102 * 400,
      createdMs: START_MS + 102 * 400,
      collectedMs: [START_MS + 102 * 400],
      calibrationVersion: 1,
    });
  });

  test('has an id that depends only on mint, type, group and start', () => {
    const idOf = (finding: Finding) =>
      createBook().take(finding.mint, [finding], at(102))[0]?.id ?? '';
    const ids = [
      aFinding(),
      aFinding({ mint: named('other') }),
      aFinding({ fraudType: 'late_bundle' }),
      aFinding({ clusterRoot: named('b') }),
      aFinding({ patternStartSlot: asSlot(101) }),
    ].map(idOf);
    expect(new Set(ids).size).toBe(5);
    expect(idOf(aFinding({ confidence: 0.6 }))).toBe(ids[0]);
  });

  test('is not stored below 0.3, and is a candidate below 0.5', () => {
    const book = createBook();
    expect(book.take(mint, [aFinding({ confidence: 0.2999 })], at(102))).toEqual([]);
    expect(book.size).toBe(0);
    const [published] = book.take(mint, [aFinding({ confidence: 0.4999 })], at(103));
    expect(published).toMatchObject({ state: 'candidate', detectionSlot: null });
  });
});

describe('a repeated finding', () => {
  test('is not published without a change, at any time', () => {
    const book = createBook();
    book.take(mint, [aFinding()], at(102));
    expect(book.take(mint, [aFinding()], at(103))).toEqual([]);
    expect(book.take(mint, [aFinding()], at(104, START_MS + DAY_MS))).toEqual([]);
  });

  test('keeps its id when its group grows and its root and start change', () => {
    const book = createBook();
    const [first] = book.take(mint, [aFinding()], at(102));
    const grown = aFinding({
      wallets: wallets('A', 'a', 'b', 'c', 'd'),
      clusterRoot: named('A'),
      patternStartSlot: asSlot(99),
    });
    const [again] = book.take(mint, [grown], at(105));
    expect(again).toMatchObject({ id: first?.id, finding: grown, detectionSlot: 102, slot: 105 });
    expect(again?.createdMs).toBe(first?.createdMs);
  });

  test('keeps its start, without an update, when a later round is stronger', () => {
    const book = createBook();
    const [first] = book.take(mint, [aFinding({ patternStartSlot: asSlot(100) })], at(102));
    const later = aFinding({ patternStartSlot: asSlot(140), confidence: 0.9 });
    const [again] = book.take(mint, [later], at(150));
    expect(again).toMatchObject({ id: first?.id, detectionSlot: 102 });
    expect(again?.finding).toEqual({ ...later, patternStartSlot: 100 });
    expect(book.take(mint, [later], at(9_000))).toEqual([]);
  });

  test('is matched by its cluster when other wallets make the next round', () => {
    const book = createBook();
    const [first] = book.take(mint, [aFinding()], at(102));
    const others = aFinding({ wallets: wallets('x', 'y', 'z'), patternStartSlot: asSlot(101) });
    const [again, ...more] = book.take(mint, [others], at(103));
    expect(again).toMatchObject({ id: first?.id, finding: { wallets: others.wallets } });
    expect([more, book.size]).toEqual([[], 1]);
  });

  test('is a new one when it shares less than half of the smaller group', () => {
    const book = createBook();
    const [first] = book.take(mint, [aFinding()], at(102));
    const other = aFinding({ wallets: wallets('c', 'x', 'y'), clusterRoot: named('c') });
    const [second] = book.take(mint, [aFinding(), other], at(103));
    expect(second?.id).not.toBe(first?.id);
    expect(book.size).toBe(2);
  });

  test('becomes active, with a detection slot, when it is strong enough', () => {
    const book = createBook();
    book.take(mint, [aFinding({ confidence: 0.4 })], at(102));
    const [published] = book.take(mint, [aFinding({ confidence: 0.5 })], at(110));
    expect(published).toMatchObject({ state: 'active', detectionSlot: 110 });
    const [weaker] = book.take(mint, [aFinding({ confidence: 0.45 })], at(120));
    expect(weaker).toMatchObject({ state: 'active', detectionSlot: 110 });
  });

  test('is published at once for a confidence step of 0.01 and for a role', () => {
    const book = createBook();
    book.take(mint, [aFinding()], at(102));
    expect(book.take(mint, [aFinding({ confidence: 0.8099 })], at(103))).toEqual([]);
    expect(book.take(mint, [aFinding({ confidence: 0.81 })], at(104))).toHaveLength(1);
    const [one, ...rest] = wallets('a', 'b', 'c');
    const roles = [anInvolvedWallet('a', { role: 'attacker' }), ...rest];
    expect(one?.role).toBe('bundler');
    expect(book.take(mint, [aFinding({ confidence: 0.81, wallets: roles })], at(105))).toHaveLength(
      1,
    );
  });

  test('is published for details after ten minutes; earlier evidence keeps its time', () => {
    const book = createBook();
    book.take(mint, [aFinding()], at(102, START_MS));
    const more = aFinding({
      evidence: [anEvidence({ weight: 0.5 }), anEvidence({ type: 'wallet_cluster', weight: 0.5 })],
    });
    expect(book.take(mint, [more], at(103, START_MS + 9 * MINUTE_MS))).toEqual([]);
    const [published] = book.take(mint, [more], at(104, START_MS + 10 * MINUTE_MS));
    expect(published?.collectedMs).toEqual([START_MS, START_MS + 10 * MINUTE_MS]);
  });
});

describe('a finding that is no longer found', () => {
  test('is published as archived after a day, with its last data', () => {
    const book = createBook();
    const [first] = book.take(mint, [aFinding()], at(102, START_MS));
    expect(book.take(mint, [], at(103, START_MS + MINUTE_MS))).toEqual([]);
    expect(book.takeLapsed(asSlot(200), START_MS + MINUTE_MS + DAY_MS - 1)).toEqual([]);
    const [published] = book.takeLapsed(asSlot(201), START_MS + MINUTE_MS + DAY_MS);
    expect(published).toEqual({
      ...first,
      state: 'archived',
      slot: 201,
      updatedMs: START_MS + MINUTE_MS + DAY_MS,
    });
    expect(book.size).toBe(0);
  });

  test('is archived after a day also when it was below 0.35 from its beginning', () => {
    const book = createBook();
    book.take(mint, [aFinding({ confidence: 0.32 })], at(102, START_MS));
    expect(book.takeLapsed(asSlot(200), START_MS + DAY_MS - 1)).toEqual([]);
    expect(book.takeLapsed(asSlot(201), START_MS + DAY_MS)).toHaveLength(1);
  });

  test.each([
    ['that was reported', 0.8, 0.4999, 0.5, 'active', 102],
    ['that was a candidate', 0.4, 0.3499, 0.35, 'candidate', null],
  ] as const)(
    '%s stays archived until it is strong enough, and goes on with its first slots',
    (_, first, weak, strong, state, detectionSlot) => {
      const book = createBook();
      const [begun] = book.take(mint, [aFinding({ confidence: first })], at(102, START_MS));
      book.take(mint, [], at(103, START_MS));
      expect(book.takeLapsed(asSlot(201), START_MS + DAY_MS)).toHaveLength(1);
      const later = START_MS + 2 * DAY_MS;
      expect(book.take(mint, [aFinding({ confidence: weak })], at(300, later))).toEqual([]);
      expect(book.size).toBe(0);
      const [again] = book.take(mint, [aFinding({ confidence: strong })], at(301, later));
      expect(again).toMatchObject({ id: begun?.id, state, detectionSlot, createdMs: START_MS });
      book.take(mint, [], at(302, later));
      const [lapsed] = book.takeLapsed(asSlot(400), later + DAY_MS);
      expect(lapsed).toMatchObject({ id: begun?.id, detectionSlot, createdMs: START_MS });
    },
  );

  test('stays when it is found again within the day', () => {
    const book = createBook();
    book.take(mint, [aFinding()], at(102, START_MS));
    book.take(mint, [aFinding({ confidence: 0.34 })], at(103, START_MS));
    book.take(mint, [aFinding({ confidence: 0.35 })], at(104, START_MS + DAY_MS / 2));
    expect(book.takeLapsed(asSlot(201), START_MS + 3 * DAY_MS)).toEqual([]);
    book.take(mint, [], at(300, START_MS + 3 * DAY_MS));
    expect(book.takeLapsed(asSlot(301), START_MS + 3.5 * DAY_MS)).toEqual([]);
    expect(book.takeLapsed(asSlot(302), START_MS + 4 * DAY_MS)).toHaveLength(1);
  });
});

test('findings are not forgotten, however many others were found since', () => {
  const book = createBook();
  const take = (index: number) => {
    const found = named(`mint ${index}`);
    return book.take(found, [aFinding({ mint: found })], at(index));
  };
  for (let index = 0; index < 20_000; index++) expect(take(index)).toHaveLength(1);
  expect([take(0), book.size]).toEqual([[], 20_000]);
});

describe('the leaders of a mint', () => {
  const led = (confidence: number, rest: Partial<Finding> = {}) =>
    aFinding({
      confidence,
      wallets: [
        anInvolvedWallet('a', { role: 'attacker' }),
        anInvolvedWallet('b', { role: 'bundler' }),
        anInvolvedWallet('f', { role: 'funding_source' }),
        anInvolvedWallet('u', { role: 'unknown' }),
      ],
      ...rest,
    });

  test('are attackers and bundlers of findings of 0.7 and more', () => {
    const book = createBook();
    book.take(mint, [led(0.69)], at(102));
    expect([...book.leadersOf(mint)]).toEqual([]);
    book.take(mint, [led(0.7)], at(103));
    const leading = { fraudType: 'traditional_bundle', confidence: 0.7 };
    expect([...book.leadersOf(mint)]).toEqual([
      ['a', leading],
      ['b', leading],
    ]);
  });

  test('are all that trade in patterns that know no attackers', () => {
    const book = createBook();
    book.take(mint, [led(0.8, { fraudType: 'wash_volume' })], at(102));
    expect([...book.leadersOf(mint).keys()]).toEqual(['a', 'b', 'u']);
  });

  test('have the strongest of the findings that name them', () => {
    const book = createBook();
    const other = led(0.9, { fraudType: 'late_bundle', wallets: wallets('b') });
    book.take(mint, [other, led(0.8)], at(102));
    expect(book.leadersOf(mint).get(named('b'))?.fraudType).toBe('late_bundle');
    expect(book.leadersOf(mint).get(named('a'))?.fraudType).toBe('traditional_bundle');
  });

  test('are none of a finding that was refused, also when it lapsed and is found again', () => {
    const book = createBook();
    const id = book.take(mint, [led(0.8)], at(102))[0]?.id ?? '';
    expect(book.refuse('00000000-0000-5000-8000-000000000000')).toBeNull();
    expect([...book.leadersOf(mint).keys()]).toEqual(['a', 'b']);
    expect(book.refuse(id)).toBe(mint);
    expect([book.isRefused(id), [...book.leadersOf(mint)]]).toEqual([true, []]);
    book.take(mint, [], at(103));
    expect(book.takeLapsed(asSlot(104), START_MS + 2 * DAY_MS)).toHaveLength(1);
    expect(book.take(mint, [led(0.8)], at(105))[0]?.id).toBe(id);
    expect([...book.leadersOf(mint)]).toEqual([]);
  });
});

const anyFinding = fc
  .record({
    fraudType: fc.constantFrom('traditional_bundle' as const, 'late_bundle' as const),
    names: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { minLength: 1 }),
    confidence: fc.integer({ min: 0, max: 10 }).map((tenths) => tenths / 10),
  })
  .map(({ names, ...rest }) =>
    aFinding({ ...rest, wallets: wallets(...names), clusterRoot: named(names[0] ?? '') }),
  );
const MINTS = ['m', 'n'].map((name) => address(name));
const anyEvaluation = fc.record({
  found: fc.constantFrom(...MINTS),
  findings: fc.array(anyFinding, { maxLength: 3 }),
  hours: fc.integer({ min: 0, max: 30 }),
});

test('evaluations can be undone, stored and restored', () => {
  fc.assert(
    fc.property(fc.array(anyEvaluation, { maxLength: 12 }), fc.nat(11), (evaluations, stored) => {
      let timeMs = START_MS;
      const slots = evaluations.map(({ hours, found, findings }, index) => {
        timeMs += hours * 3_600_000;
        const ofMint = findings.map((finding) => ({ ...finding, mint: found }));
        return { index, timeMs, found, findings: ofMint };
      });
      expectStored<FindingBook, (typeof slots)[number]>(
        {
          create: (undo) => new FindingBook(undo),
          apply(book, { index, timeMs: nowMs, found, findings }) {
            const lapsed = book.takeLapsed(asSlot(index), nowMs);
            const published = [...lapsed, ...book.take(found, findings, at(index, nowMs))];
            const [first] = published;
            if (first !== undefined && index % 3 === 0) book.refuse(first.id);
            const versions = published.map(({ id, state }) => `${id} ${state}`);
            expect(new Set(versions).size).toBe(published.length);
            return published;
          },
          answers: (book) => [
            book.size,
            ...MINTS.map((each) => book.confidenceOf(each)),
            ...MINTS.map((each) => [...book.leadersOf(each)]),
          ],
        },
        slots,
        stored,
      );
    }),
  );
});
