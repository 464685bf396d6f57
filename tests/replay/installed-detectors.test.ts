import { cpSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { SourceItem } from '../../src/chain/source.ts';
import { scenarioSlots } from '../../src/commands/rules/tested-slots.ts';
import { readConfig } from '../../src/config/config.ts';
import { UsageError } from '../../src/model/errors.ts';
import { OPERATOR } from '../../src/model/rule-change.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import { openService, type Service } from '../../src/service/app.ts';
import { buildRuleFile } from '../support/build-rule.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { itemSource } from '../support/item-source.ts';

const NAME = 'mintscope-detector-one-payer';
const EXAMPLE = new URL(`../../examples/detectors/${NAME}`, import.meta.url).pathname;
const SLOTS = 600;

let slots: readonly SlotFacts[];

beforeAll(() => {
  const scenario = scenarioSlots({ name: 'traditional_bundle', seed: 'one' });
  if (typeof scenario === 'string') throw new Error(scenario);
  slots = [...(scenario.slots as Iterable<SlotFacts>)].slice(0, SLOTS);
});

/** A folder with a copy of the example, which a test may change. */
function installed(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mintscope-installed-'));
  cpSync(EXAMPLE, join(folder, 'node_modules', NAME), { recursive: true });
  return folder;
}

interface Opened {
  readonly service: Service;
  /** Slots of the log that were applied at the start. */
  readonly folded: number;
}

async function open(dataDir: string, settings: Readonly<Record<string, string>>): Promise<Opened> {
  let folded = 0;
  const service = await openService(readConfig({}, { dataDir, ...settings }), {
    onFold: () => folded++,
  });
  return { service, folded };
}

const ingest = ({ ingestion }: Service) =>
  ingestion.ingest(
    itemSource(
      slots.map((facts): SourceItem => ({ kind: 'facts', facts })),
      true,
    ),
  );

const hitsIn = async ({ store }: Service) =>
  await store.ruleHits.page({
    author: OPERATOR,
    name: NAME,
    hash: null,
    limit: 10,
    beforeRowId: null,
  });

describe('a service with an installed detector', () => {
  test('stores its hits, and folds the log again with other files and not with the same', async () => {
    const dataDir = temporaryFolder();
    const detectorsFolder = installed();
    const settings = { detectors: NAME, detectorsFolder };
    const first = await open(dataDir, settings);
    await ingest(first.service);
    const before = await hitsIn(first.service);
    expect(before).toMatchObject([{ kind: 'fraud', author: OPERATOR, name: NAME }]);
    const { foldVersion } = first.service;
    const digest = first.service.ingestion.engine.digest();
    await first.service.close();

    const same = await open(dataDir, settings);
    expect([same.folded, same.service.foldVersion]).toEqual([0, foldVersion]);
    expect(same.service.ingestion.engine.digest()).toBe(digest);
    // The thread of past states opens the packages too: without them it could not open the state.
    const [hit] = before;
    if (hit === undefined) throw new Error('there is no hit');
    const query = { kind: 'token', mint: hit.mint, holdersMax: 1 } as const;
    const lastSlot = slots.at(-1)?.slot;
    if (lastSlot === undefined) throw new Error('there are no slots');
    const past = await same.service.past.read(query, lastSlot);
    expect(past).toMatchObject({ kind: 'answered', answer: { slot: lastSlot } });
    await same.service.close();

    writeFileSync(join(detectorsFolder, 'node_modules', NAME, 'README.md'), 'another');
    const changed = await open(dataDir, settings);
    expect(changed.service.foldVersion).not.toBe(foldVersion);
    expect(changed.folded).toBe(slots.length);
    const after = await hitsIn(changed.service);
    expect(after.map(({ hash: _, ...hit }) => hit)).toEqual(
      before.map(({ hash: _, ...hit }) => hit),
    );
    expect(after[0]?.hash).not.toBe(before[0]?.hash);
    await changed.service.close();

    const without = await open(dataDir, {});
    expect(without.folded).toBe(slots.length);
    expect(await hitsIn(without.service)).toEqual([]);
    await without.service.close();
  });

  test('does not fold the log again for one that is only tried', async () => {
    const dataDir = temporaryFolder();
    const first = await open(dataDir, {});
    await ingest(first.service);
    const { foldVersion } = first.service;
    await first.service.close();
    const settings = { shadowDetectors: NAME, detectorsFolder: installed() };
    const tried = await open(dataDir, settings);
    expect([tried.folded, tried.service.foldVersion]).toEqual([0, foldVersion]);
    expect(tried.service.detectors.tried).toMatchObject([{ name: NAME, stopped: null }]);
    expect(await hitsIn(tried.service)).toEqual([]);
    await tried.service.close();
  });

  test('is not opened with a rule of the same name, or a detector that cannot be used', async () => {
    const dataDir = temporaryFolder();
    const detectorsFolder = installed();
    const rulesFolder = temporaryFolder();
    writeFileSync(join(rulesFolder, 'same.yaml'), JSON.stringify(buildRuleFile({ name: NAME })));
    const sameName = open(dataDir, { detectors: NAME, detectorsFolder, rulesFolder });
    await expect(sameName).rejects.toThrow(
      `The folder of rules has a rule named ${NAME}, as an installed detector is: rename the rule.`,
    );
    const absent = open(dataDir, { detectors: 'mintscope-detector-absent', detectorsFolder });
    await expect(absent).rejects.toThrow(UsageError);
    writeFileSync(join(detectorsFolder, 'node_modules', NAME, 'index.js'), 'for (;;);');
    for (const setting of ['detectors', 'shadowDetectors']) {
      const looping = open(dataDir, { [setting]: NAME, detectorsFolder });
      await expect(looping).rejects.toThrow(/^The detector .* cannot be used: It did not end/);
    }
  });
});
