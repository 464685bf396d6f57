import fc from 'fast-check';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { describe, expect, test } from 'vitest';
import {
  buildClassification,
  buildFinding,
  classificationId,
  FOUND_MS,
} from '../../../tests/support/build-classification.ts';
import {
  buildCandle,
  buildChanges,
  buildMinute,
  buildPool,
  buildSwap,
  prices,
} from '../../../tests/support/build-records.ts';
import { buildOutcome, buildSignal, SIGNAL_TIME_MS } from '../../../tests/support/build-signal.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import { transports, useDataPlane } from '../../../tests/support/data-planes.ts';
import { formatFixed, formatTrimmed } from '../../lib/decimal.ts';
import type { PricedSwap, SlotChanges } from '../../model/derived.ts';
import {
  EXPORT_KINDS,
  type ExportKind,
  type ExportPosition,
  type ExportQuery,
} from '../../model/export.ts';
import { asPriceE18, asRawAmount, asSlot, asUsdNano } from '../../model/units.ts';
import { rowVersion } from '../sql/row-version.ts';
import type { VisibleRows } from '../sql/visible-epoch.ts';
import { type ExportOptions, StoredExports } from './stored-exports.ts';

const MINTS = [address('export mint'), address('other export mint')] as const;
const POOLS = ['export pool', 'second export pool', 'third export pool'].map(address);
const START_MS = 1_700_000_000_000;
const DAY_MS = 86_400_000;
const ALL = {
  format: 'csv',
  mint: null,
  pool: null,
  authors: null,
  fromMs: 0,
  toMs: 4_000_000_000_000,
} as const;

/** A swap whose pool is always of the same mint. Slots are days apart, to span partitions. */
const draft = fc.record({
  slot: fc.integer({ min: 1, max: 6 }),
  txIndex: fc.nat(2),
  outerIx: fc.nat(1),
  innerIx: fc.integer({ min: -1, max: 1 }),
  pool: fc.nat(POOLS.length - 1),
  baseRaw: fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }),
  decimals: fc.constantFrom(0, 1, 6, 9),
  priceUsd: fc.option(fc.bigInt({ min: 0n, max: 10n ** 24n }), { nil: null }),
  valueUsd: fc.option(fc.bigInt({ min: 0n, max: 10n ** 24n }), { nil: null }),
  walletClass: fc.constantFrom(null, 'organic' as const, 'bot' as const),
  isHop: fc.boolean(),
});

function toSwap(given: typeof draft extends fc.Arbitrary<infer Value> ? Value : never): PricedSwap {
  const { slot, txIndex, outerIx, innerIx, priceUsd, valueUsd } = given;
  return buildSwap(POOLS[given.pool] ?? address('no pool'), `${slot}/${txIndex}`, {
    ...{
      slot: asSlot(slot),
      txIndex,
      timeMs: START_MS + Math.floor(slot / 2) * 20 * DAY_MS + slot,
    },
    priceUsd: priceUsd === null ? null : asPriceE18(priceUsd),
    valueUsd: valueUsd === null ? null : asUsdNano(valueUsd),
    walletClass: given.walletClass,
    isOrganic: given.walletClass === 'organic',
    swap: {
      ...{ outerIx, innerIx, isIntermediateHop: given.isHop, baseDecimals: given.decimals },
      baseMint: given.pool === 0 ? MINTS[0] : MINTS[1],
      poolBaseDelta: asRawAmount(given.baseRaw),
      trader: given.txIndex === 0 ? null : address('export trader'),
    },
  });
}

/** The line of a swap, written from the record itself. */
function lineOfSwap(priced: PricedSwap): string {
  const { slot, txIndex, timeMs, priceUsd, valueUsd, swap } = priced;
  const absolute = (raw: bigint) => (raw < 0n ? -raw : raw);
  const base = absolute(swap.poolBaseDelta);
  const quote = absolute(swap.poolQuoteDelta);
  const cells = [
    `${slot}-${txIndex}-${swap.outerIx}-${swap.innerIx}`,
    ...[slot, new Date(timeMs).toISOString(), priced.signature, swap.pool, swap.baseMint],
    ...[swap.venue, swap.router, priced.terminal, swap.trader, swap.side, swap.baseDecimals],
    ...[base, formatFixed(base, swap.baseDecimals), swap.quoteMint, swap.quoteDecimals],
    ...[quote, formatFixed(quote, swap.quoteDecimals)],
    ...[priceUsd, priceUsd === null ? null : formatTrimmed(priceUsd, 18)],
    ...[valueUsd, valueUsd === null ? null : formatFixed(valueUsd, 9)],
    ...[priced.walletClass, priced.isOrganic, swap.isIntermediateHop, swap.isPureArbitrage],
    ...[swap.isAtomicRoundTrip, priced.exclusion],
  ];
  return `${cells.map((cell) => cell ?? '').join(',')}\n`;
}

type SortKey = readonly (string | number)[];

/** By the values of the key, texts by their bytes: addresses are ASCII. */
function inOrder(one: SortKey, other: SortKey): number {
  for (const [index, value] of one.entries()) {
    const second = other[index] ?? '';
    if (value !== second) return value < second ? -1 : 1;
  }
  return 0;
}

const query: fc.Arbitrary<ExportQuery & { readonly throughSlot: number }> = fc
  .record({
    fromMs: fc.constantFrom(0, 0, START_MS + 1, START_MS + 20 * DAY_MS),
    toMs: fc.constantFrom(ALL.toMs, ALL.toMs, START_MS + 20 * DAY_MS + 3),
    throughSlot: fc.constantFrom(9, 9, 4),
    scope: fc.constantFrom<Pick<ExportQuery, 'mint' | 'pool'>>(
      { mint: null, pool: null },
      ...MINTS.map((mint) => ({ mint, pool: null })),
      ...POOLS.map((pool) => ({ mint: null, pool })),
      { mint: MINTS[1], pool: POOLS[1] ?? null },
    ),
  })
  .map(({ scope, ...rest }) => ({
    kind: 'trades',
    format: 'csv',
    authors: null,
    ...rest,
    ...scope,
  }));

function expectedLines(
  swaps: readonly PricedSwap[],
  { mint, pool, fromMs, toMs, throughSlot }: ExportQuery & { readonly throughSlot: number },
): string {
  const keyOf = ({ timeMs, slot, txIndex, swap }: PricedSwap): SortKey => {
    const place = [timeMs, slot, txIndex, swap.outerIx, swap.innerIx];
    return mint !== null && pool === null ? [...place, swap.pool] : [swap.pool, ...place];
  };
  return swaps
    .filter(({ timeMs, slot }) => timeMs >= fromMs && timeMs < toMs && slot <= throughSlot)
    .filter(({ swap }) => mint === null || swap.baseMint === mint)
    .filter(({ swap }) => pool === null || swap.pool === pool)
    .sort((one, other) => inOrder(keyOf(one), keyOf(other)))
    .map(lineOfSwap)
    .join('');
}

/** The rows of a Parquet file, read by a library that has no part in writing trades. */
async function rowsOf(file: Uint8Array): Promise<Record<string, unknown>[]> {
  return await parquetReadObjects({ file: Uint8Array.from(file).buffer });
}

function columnsOf(file: Uint8Array): string[] {
  const { schema } = parquetMetadata(Uint8Array.from(file).buffer);
  return schema.slice(1).map(({ name }) => name);
}

/** A value of Parquet as a cell of CSV. */
function toCell(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value ?? '');
}

/** The cells of CSV lines, without quotes and without the apostrophe that disarms a formula. */
function cellsOf(lines: string): string[][] {
  return lines
    .trimEnd()
    .split('\n')
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain = '']) =>
        quoted === undefined ? plain : quoted.replaceAll('""', '"').replace(/^'(?=[=+@-])/, ''),
      ),
    );
}

describe.each(transports)('an export %s', (_, open) => {
  const opened = useDataPlane(open);
  let epoch = 0;

  async function write(changes: readonly SlotChanges[], layer: number) {
    for (const one of changes) {
      await opened.writer.writeBatch({ slots: [], changes: [one], epoch: layer });
    }
  }

  const writeSwaps = (swaps: readonly PricedSwap[], layer: number, writtenAt?: number) =>
    write(
      [...Map.groupBy(swaps, (one) => one.slot)].map(([slot, own]) =>
        buildChanges(writtenAt ?? slot, { swaps: own }),
      ),
      layer,
    );

  function exportsOf(visible: VisibleRows, options: Partial<ExportOptions> = {}) {
    return new StoredExports(opened.plane.fast, visible, { reviewOf: () => null, ...options });
  }

  /** All portions of an export. */
  async function readAll(exports: StoredExports, asked: ExportQuery, throughSlot = 2_000) {
    let lines = '';
    let rows = 0;
    const slots: number[] = [];
    let after: ExportPosition | null = null;
    do {
      const point = { throughSlot: asSlot(throughSlot), epoch };
      const portion = await exports.portion({ ...asked, ...point, after });
      lines += Buffer.from(portion.bytes).toString();
      rows += portion.rows;
      slots.push(...[portion.firstSlot, portion.lastSlot].filter((slot) => slot !== null));
      after = portion.next;
    } while (after !== null);
    return { lines, rows, slots };
  }

  const swaps = fc
    .uniqueArray(draft, {
      ...{ minLength: 20, maxLength: 30 },
      selector: (one) => [one.slot, one.txIndex, one.outerIx, one.innerIx, one.pool].join(),
    })
    .map((drafts) => drafts.map(toSwap));

  test('of trades is the list of all swaps, whatever the size of its portions', async () => {
    let found = 0;
    const property = fc.asyncProperty(
      swaps,
      swaps,
      fc.array(query, { minLength: 4, maxLength: 4 }),
      fc.integer({ min: 1, max: 7 }),
      fc.boolean(),
      async (lower, upper, queries, portionRowsMax, isPartial) => {
        const base = ++epoch;
        await writeSwaps(lower, base);
        let stored = lower;
        let visible: VisibleRows = { epoch, slot: asSlot(9) };
        if (isPartial) {
          // The rows of later slots are those of another layer.
          const through = 3;
          const top = ++epoch;
          const later = upper.filter(({ slot }) => slot > through);
          await writeSwaps(later, top);
          stored = [...lower.filter(({ slot }) => slot <= through), ...later];
          const layers = { top, base: { epoch: base, through: rowVersion(base, through) } };
          visible = { epoch: top, slot: asSlot(9), layers };
        }
        for (const asked of queries) {
          const exports = exportsOf(visible, { portionRowsMax });
          const read = await readAll(exports, asked, asked.throughSlot);
          expect(read.lines).toBe(expectedLines(stored, asked));
          expect(read.rows).toBe(read.lines.split('\n').length - 1);
          found += read.rows;
        }
      },
    );
    await fc.assert(property, { numRuns: 3, endOnFailure: true });
    expect(found).toBeGreaterThan(50);
  });

  test('of candles has raw integers beside decimals, and empty cells for what is unknown', async () => {
    await write(
      [
        buildChanges(9, {
          candles: [
            buildCandle(POOLS[0] ?? MINTS[0], 30_000, {
              usd: prices(1_500_000_000_000_000_000n),
              quote: null,
              volumeUsd: asUsdNano(1_234_000_000n),
              baseVolumeRaw: asRawAmount(2_500_000n),
              baseDecimals: 6,
              supplyRaw: null,
              slot: asSlot(9),
            }),
          ],
        }),
      ],
      ++epoch,
    );
    const exports = exportsOf({ epoch, slot: asSlot(9) });
    const asked = { ...ALL, kind: 'candles' } as const;
    const { data } = await exports.begin(asked);
    const cells = (await readAll(exports, asked)).lines.trimEnd().split(',');
    const row = Object.fromEntries(data.columns.map((name, index) => [name, cells[index]]));
    expect(cells).toHaveLength(data.columns.length);
    expect(row).toMatchObject({
      address: POOLS[0],
      timestamp: '1970-01-01T00:00:30.000Z',
      slot: '9',
      usd_open_e18: '1500000000000000000',
      usd_open: '1.5',
      quote_open_e18: '',
      quote_open: '',
      token_volume_raw: '2500000',
      token_volume: '2.500000',
      volume_usd_nano: '1234000000',
      volume_usd: '1.234000000',
      supply_raw: '',
      supply: '',
    });
  });

  test('of indicators has a row for each minute of a pool', async () => {
    const [pool = MINTS[0], other = MINTS[0]] = POOLS;
    const indicators = [pool, other, pool].map((each, minute) =>
      buildMinute(each, minute * 60_000),
    );
    await write([buildChanges(9, { indicators })], ++epoch);
    const exports = exportsOf({ epoch, slot: asSlot(9) }, { portionRowsMax: 1 });
    const asked = { ...ALL, kind: 'indicators' } as const;
    const { data } = await exports.begin(asked);
    const { lines, rows } = await readAll(exports, { ...asked, pool });
    expect(rows).toBe(2);
    const times = lines
      .trimEnd()
      .split('\n')
      .map((line) => line.split(',')[2]);
    expect(times).toEqual(['1970-01-01T00:00:00.000Z', '1970-01-01T00:02:00.000Z']);
    expect(data.columns.slice(0, 3)).toEqual(['pair_address', 'token_address', 'timestamp']);
    expect(lines.split('\n')[0]?.split(',')).toHaveLength(data.columns.length);
  });

  test('of signals writes names as text that no program runs, and no random minutes', async () => {
    const name = '=HYPERLINK("https://example.org","win")';
    await write(
      [
        buildChanges(1_010, {
          signals: [
            buildSignal({ name, symbol: 'A,B' }),
            buildSignal({ rowId: 8, model: 'random_minute' }),
            buildSignal({ rowId: 9, name: 'a-b', symbol: null }),
          ],
          outcomes: [buildOutcome()],
        }),
      ],
      ++epoch,
    );
    const exports = exportsOf({ epoch, slot: asSlot(1_010) }, { portionRowsMax: 1 });
    const asked = { ...ALL, kind: 'signals' } as const;
    const { lines, rows } = await readAll(exports, asked);
    const [first = '', second = ''] = lines.split('\n');
    expect(rows).toBe(2);
    expect(first).toContain(`"'=HYPERLINK(""https://example.org"",""win"")","A,B"`);
    expect(first).toContain(new Date(SIGNAL_TIME_MS).toISOString());
    // Half more than at the signal, after a fall by a tenth.
    expect(first).toMatch(/,50000000000,50\.000000000,10000000000,10\.000000000,false$/);
    expect(second).toMatch(/,"a-b",,/);
    expect(second).toMatch(/,,,,,,,,,$/);
  });

  test('of signals has those of rules of the asked authors alone, with rule and author', async () => {
    const hash = '0123456789abcdef'.repeat(4);
    const ofRules = { version: 3, parametersHash: hash };
    const signals = [
      buildSignal({ rowId: 1 }),
      buildSignal({ rowId: 2, model: 'rule:one/dip', ...ofRules }),
      buildSignal({ rowId: 3, model: 'rule:one.more/dip', ...ofRules }),
      buildSignal({ rowId: 4, model: 'rule:operator/late-rise', ...ofRules }),
      buildSignal({ rowId: 5, model: 'random_minute' }),
      buildSignal({ rowId: 6, model: 'rule:two/dip', ...ofRules }),
      buildSignal({ rowId: 7, model: 'rule:one/dip', ...ofRules, mint: MINTS[0] }),
    ];
    const outcomes = signals.map(({ rowId }) => buildOutcome({ rowId }));
    await write([buildChanges(1_010, { signals, outcomes })], ++epoch);
    const exports = exportsOf({ epoch, slot: asSlot(1_010) }, { portionRowsMax: 2 });
    const asked = { ...ALL, kind: 'signals' } as const;
    const rowsBy = async (authors: ExportQuery['authors'], given: Partial<ExportQuery> = {}) => {
      const query = { ...asked, ...given, authors };
      const { columns } = (await exports.begin(query)).data;
      const at = (name: string) => columns.indexOf(name);
      const { lines, rows } = await readAll(exports, query);
      return (rows === 0 ? [] : cellsOf(lines)).map((cells) => [
        cells[at('row_id')],
        ...['model_name', 'rule_id', 'author'].map((name) => cells[at(name)]),
      ]);
    };
    const ofModel = ['1', 'organic_momentum', '', ''];
    const own = ['2', '', 'dip@3+0123456789abcdef', 'account'];
    const operators = ['4', '', 'late-rise@3+0123456789abcdef', 'operator'];
    const ownOfMint = ['7', ...own.slice(1)];
    const both = ['one', 'operator'];
    expect(await rowsBy({ isBuiltIn: true, ofRules: both })).toEqual([
      ...[ofModel, own, operators, ownOfMint],
    ]);
    expect(await rowsBy({ isBuiltIn: false, ofRules: ['one'] })).toEqual([own, ownOfMint]);
    expect(await rowsBy({ isBuiltIn: true, ofRules: ['nobody'] })).toEqual([ofModel]);
    expect(await rowsBy({ isBuiltIn: false, ofRules: ['on'] }, { mint: null })).toEqual([]);
    const ofMint = { mint: MINTS[0] };
    expect(await rowsBy({ isBuiltIn: true, ofRules: both }, ofMint)).toEqual([ownOfMint]);
    // Without authors, neither their rows nor their columns.
    expect((await readAll(exports, asked)).lines).toMatch(/^1,[^\n]*\n$/);
    expect((await exports.begin(asked)).data.columns).not.toContain('author');
  });

  test('of findings lists the newest version that is published, once', async () => {
    const found = buildClassification({ slot: asSlot(1_000) });
    const grown = { ...found, slot: asSlot(1_200) };
    const weak = buildClassification({
      ...{ id: `${found.id.slice(0, -1)}f`, slot: asSlot(1_000) },
      finding: buildFinding({ confidence: 0.4 }),
    });
    await write(
      [
        buildChanges(1_000, { classifications: [found, weak] }),
        buildChanges(1_200, { classifications: [grown] }),
      ],
      ++epoch,
    );
    const visible = { epoch, slot: asSlot(1_300) };
    const asked = { ...ALL, kind: 'findings' } as const;
    expect(await readAll(exportsOf(visible), asked)).toMatchObject({
      rows: 1,
      slots: [1_200, 1_200],
    });
    expect(await readAll(exportsOf(visible), asked, 1_100)).toMatchObject({
      slots: [1_000, 1_000],
    });
    const { createdMs } = found;
    const later = { ...asked, fromMs: createdMs + 1 };
    expect((await readAll(exportsOf(visible), later)).rows).toBe(0);
    expect((await readAll(exportsOf(visible), { ...asked, mint: MINTS[0] })).rows).toBe(0);
    const denied = exportsOf(visible, { reviewOf: () => 'false_positive' });
    expect((await readAll(denied, asked)).rows).toBe(0);
    const { lines } = await readAll(exportsOf(visible), asked);
    const { data } = await exportsOf(visible).begin(asked);
    // Only the last two cells, which have no commas, are in quotes.
    expect(lines.trimEnd().split(',')).toHaveLength(data.columns.length);
    expect(lines).toContain(`,${new Date(FOUND_MS).toISOString()},`);
  });

  test('of findings of a pool lists those that name it, not others of its token', async () => {
    const [pool = address('pool'), other = address('other')] = POOLS;
    const [mint] = MINTS;
    const classifications = [pool, other, null].map((named, index) =>
      buildClassification({
        id: classificationId(index + 1),
        finding: buildFinding({ mint, pool: named }),
      }),
    );
    const pools = [pool, other].map((one) => buildPool(one, mint));
    await write([buildChanges(1_010, { classifications, pools })], ++epoch);
    const exports = exportsOf({ epoch, slot: asSlot(1_010) });
    const idsOf = async (given: Partial<ExportQuery>) => {
      const { lines } = await readAll(exports, { ...ALL, kind: 'findings', ...given });
      return lines.split('\n').flatMap((line) => (line === '' ? [] : [line.split(',')[0]]));
    };
    expect(await idsOf({ pool })).toEqual([classificationId(1)]);
    expect(await idsOf({ pool, mint })).toEqual([classificationId(1)]);
    expect(await idsOf({ mint })).toEqual([1, 2, 3].map(classificationId));
    expect(await idsOf({ pool: address('unknown') })).toEqual([]);
  });

  test('of findings continues after a portion without a published one', async () => {
    const classifications = [1, 2, 3, 4].map((number) =>
      buildClassification({
        id: classificationId(number),
        finding: buildFinding({ mint: number === 3 ? MINTS[0] : MINTS[1] }),
      }),
    );
    await write([buildChanges(1_010, { classifications })], ++epoch);
    const exports = exportsOf(
      { epoch, slot: asSlot(1_010) },
      {
        portionRowsMax: 1,
        reviewOf: (id) => (id === classificationId(2) ? 'false_positive' : null),
      },
    );
    const { lines } = await readAll(exports, { ...ALL, kind: 'findings' });
    const ids = lines
      .trimEnd()
      .split('\n')
      .map((line) => line.split(',')[0]);
    const inMintOrder = MINTS[0] < MINTS[1] ? [3, 1, 4] : [1, 4, 3];
    expect(ids).toEqual(inMintOrder.map(classificationId));
  });

  test.each<[ExportKind, ExportQuery['authors']]>([
    ...EXPORT_KINDS.map((kind): [ExportKind, null] => [kind, null]),
    ['signals', { isBuiltIn: true, ofRules: ['one'] }],
  ])('of %s as Parquet has the values of CSV, by %j', async (kind, authors) => {
    await write(
      [
        buildChanges(9, {
          swaps: fc
            .sample(draft, { seed: 7, numRuns: 20 })
            .map((one, index) => toSwap({ ...one, slot: 9, txIndex: index })),
          candles: [buildCandle(POOLS[0] ?? MINTS[0], 30_000, { quote: null, supplyRaw: null })],
          indicators: [1, 2, 3].map((minute) => buildMinute(MINTS[0], minute * 60_000)),
          classifications: [1, 2].map((number) =>
            buildClassification({ id: classificationId(number), slot: asSlot(9) }),
          ),
          signals: [
            buildSignal({ slot: asSlot(9), name: '=1+2, "win"' }),
            buildSignal({ rowId: 9, slot: asSlot(9), symbol: null }),
            buildSignal({ rowId: 10, slot: asSlot(9), model: 'rule:one/dip' }),
          ],
          outcomes: [buildOutcome({ slot: asSlot(9) })],
        }),
      ],
      ++epoch,
    );
    const exports = exportsOf({ epoch, slot: asSlot(2_000) }, { portionRowsMax: 3 });
    const asked = { ...ALL, kind, authors } as const;
    const { data } = await exports.begin({ ...asked, format: 'parquet' });
    expect(await rowsOf(data.empty ?? new Uint8Array())).toEqual([]);
    expect(columnsOf(data.empty ?? new Uint8Array())).toEqual(data.columns);
    const { lines } = await readAll(exports, asked);
    const read: string[][] = [];
    const point = { throughSlot: asSlot(2_000), epoch };
    let after: ExportPosition | null = null;
    do {
      const portion = await exports.portion({ ...asked, format: 'parquet', ...point, after });
      if (portion.rows > 0) {
        expect(columnsOf(portion.bytes)).toEqual(data.columns);
        const rows = await rowsOf(portion.bytes);
        expect(rows).toHaveLength(portion.rows);
        read.push(...rows.map((row) => data.columns.map((name) => toCell(row[name]))));
      }
      after = portion.next;
    } while (after !== null);
    expect(read).toEqual(cellsOf(lines));
    expect(read.length).toBeGreaterThan(0);
  });

  test('that began before its rows were computed anew is refused', async () => {
    const visible = { epoch: ++epoch, slot: asSlot(9) };
    const exports = exportsOf(visible);
    const asked = { ...ALL, kind: 'trades' } as const;
    const { slot, data } = await exports.begin(asked);
    expect([slot, data.point]).toEqual([9, { throughSlot: 9, epoch }]);
    visible.epoch++;
    const portion = { ...asked, throughSlot: asSlot(9), epoch, after: null };
    await expect(exports.portion(portion)).rejects.toMatchObject({ status: 503 });
  });
});
