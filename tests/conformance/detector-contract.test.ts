import { describe, expect, test } from 'vitest';
import { scenarioSlots } from '../../src/commands/rules/tested-slots.ts';
import { openDetector } from '../../src/detector-modules/sandbox/open-detector.ts';
import { Engine } from '../../src/engine/engine.ts';
import { caseText } from '../../src/fraud/contract/case-text.ts';
import { checkJudgements } from '../../src/fraud/contract/check-judgements.ts';
import { createReading } from '../../src/fraud/detect/inspect-case.ts';
import { DETECTORS } from '../../src/fraud/detect/registry.ts';
import { toBigintJson } from '../../src/lib/bigint-json.ts';
import type { FraudType } from '../../src/model/fraud.ts';
import type { MintCase } from '../../src/model/mint-case.ts';
import { bundledDetector } from '../support/bundled-detector.ts';

/** Where the source of each built-in detector is. */
const SOURCES: Readonly<Record<FraudType, { readonly file: string; readonly exported: string }>> = {
  traditional_bundle: {
    file: 'src/fraud/bundles/traditional-bundle.ts',
    exported: 'traditionalBundle',
  },
  late_bundle: { file: 'src/fraud/bundles/late-bundle.ts', exported: 'lateBundle' },
  bundle_and_launder: {
    file: 'src/fraud/laundering/bundle-and-launder.ts',
    exported: 'bundleAndLaunder',
  },
  fake_dump: { file: 'src/fraud/dumps/fake-dump.ts', exported: 'fakeDump' },
  coordinated_exit: { file: 'src/fraud/exits/coordinated-exit.ts', exported: 'coordinatedExit' },
  wash_volume: { file: 'src/fraud/wash/wash-volume.ts', exported: 'washVolume' },
};

/** Cases of a scenario, at intervals and at its end: a pattern that begins, and one that is whole. */
function casesOf(name: string): readonly MintCase[] {
  const scenario = scenarioSlots({ name, seed: 'contract' });
  if (typeof scenario === 'string') throw new Error(scenario);
  const engine = new Engine({ fallbackSolUsd: null });
  const taken: MintCase[] = [];
  const take = () => {
    const subject = scenario.subject();
    const mintCase = subject === null ? null : engine.mintCase(subject);
    if (mintCase !== null) taken.push(mintCase);
  };
  let slots = 0;
  for (const facts of scenario.slots as Iterable<Parameters<Engine['apply']>[0]>) {
    engine.apply(facts);
    if (++slots % 400 === 0) take();
  }
  take();
  return taken;
}

describe.each(DETECTORS)('the built-in detector $name', (detector) => {
  test('judges as a module what it judges built in, and returns what a module may', async () => {
    const { name } = detector;
    const installed = openDetector(await bundledDetector(detector, SOURCES[name]));
    const { severity, card, version } = installed;
    expect({ severity, card, version }).toEqual({
      severity: detector.severity,
      card: detector.card,
      version: detector.version,
    });
    let found = 0;
    for (const mintCase of casesOf(name)) {
      const reading = createReading(mintCase);
      const judgements = detector.inspect(reading);
      found += judgements.length;
      const outcome = installed.judge(reading, caseText(mintCase));
      expect(outcome).toEqual({ kind: 'judged', judgements });
      expect(checkJudgements(toBigintJson(judgements), mintCase.slot)).toEqual({
        kind: 'judgements',
        judgements,
      });
    }
    expect(found).toBeGreaterThan(0);
  });
});
