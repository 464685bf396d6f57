import { describe, expect, test } from 'vitest';
import { hasTestData, testData } from '../../support/test-data.ts';
import {
  caseOfLaunch,
  findingsOf,
  judgeLaunches,
  judgeSingleLaunches,
  type LaunchFigures,
} from './judge-launches.ts';
import { readLabelledLaunches } from './labelled-launches.ts';
import { launchReport, launchRows } from './launch-report.ts';
import { readCreations } from './recorded-creations.ts';

describe.skipIf(!hasTestData)('the bundled launches of the shared labels', () => {
  test('are all found by purchases and their order, without naming a wallet outside the bundle', () => {
    const launches = readLabelledLaunches(testData);
    expect(launches).toHaveLength(26);
    for (const launch of launches) {
      const [finding] = findingsOf(caseOfLaunch(launch));
      expect(finding?.fraudType).toBe('traditional_bundle');
      const bundled = launch.buys.filter(({ isBundled }) => isBundled);
      const known = new Set<string>([launch.creator, ...bundled.map(({ signer }) => signer)]);
      const others = finding?.wallets.filter(({ address }) => !known.has(address)) ?? [];
      expect(others).toEqual([]);
      expect((finding?.wallets ?? []).length).toBeGreaterThanOrEqual(4);
    }
  });

  test('are not found when their bundle had not bought', () => {
    const launches = readLabelledLaunches(testData);
    const withOthers = launches.filter(({ buys }) => buys.some(({ isBundled }) => !isBundled));
    expect(withOthers.length).toBeGreaterThan(20);
    const [control] = judgeLaunches(launches).controls;
    expect(control).toMatchObject({ launches: withOthers.length, found: 0 });
  });
});

describe.skipIf(!hasTestData)('recorded launches of one transaction', () => {
  test('are no bundles: nobody but who made them bought', async () => {
    const control = judgeSingleLaunches(await readCreations(testData));
    expect(control.launches).toBeGreaterThanOrEqual(8);
    expect(control.found).toBe(0);
  });
});

describe('the report of recorded launches', () => {
  const figures: LaunchFigures = {
    ...{ launches: 4, found: 4, members: 16, membersNamed: 15, outsiders: 3, outsidersNamed: 0 },
    confidence: [0.7, 0.85],
    controls: [{ what: 'none', launches: 0, found: 0 }],
  };

  test('asks for all bundles and members, and for no others', () => {
    expect(launchRows(figures).map(({ hits, of, isMet }) => [hits, of, isMet])).toEqual([
      [4, 4, true],
      [15, 16, false],
      [0, 3, true],
      [0, 0, false],
    ]);
  });

  test('says how sure the shares are: 95 of 100 intervals of 0 of 3 reach .562 (Wilson)', () => {
    // z²/(n+z²) with z = 1.96.
    expect(launchReport(figures)).toMatch(/0 of 3 +\| 0\.000 to 0\.562 +\| yes/);
  });
});
