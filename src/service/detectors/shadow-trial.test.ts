import { afterEach, describe, expect, test } from 'vitest';
import { codeThat, packageOf } from '../../../tests/support/detector-package.ts';
import { named } from '../../../tests/support/made-up-units.ts';
import { aCase } from '../../../tests/support/mint-case.ts';
import type { DetectorPackage } from '../../detector-modules/package/detector-package.ts';
import type { SlotChanges } from '../../model/derived.ts';
import type { Address } from '../../model/units.ts';
import { ShadowTrial } from './shadow-trial.ts';

const detector = (name: string, body: string): DetectorPackage => ({
  ...packageOf({ 'index.js': codeThat(body, name) }),
  name,
});
const QUIET = detector('mintscope-detector-quiet', 'return []');
const THROWING = detector('mintscope-detector-throwing', 'throw new Error("no")');
/** Work that is not counted, and never ends. */
const SQUARING = detector(
  'mintscope-detector-squaring',
  'let huge = 3n; for (;;) huge = huge * huge;',
);

let trial: ShadowTrial | null = null;

afterEach(() => trial?.close());

/** A trial whose thread is given a case each time that a condition is not met. */
function tryOut(packages: readonly DetectorPackage[], silenceMaxMs = 60_000) {
  const problems: string[] = [];
  const tried = new ShadowTrial({
    packages,
    engine: () => ({ mintCase: (mint) => ({ ...aCase(), mint }) }),
    onReported: () => expect.fail('nothing is found'),
    onProblem: (sentence) => problems.push(sentence),
    silenceMaxMs,
  });
  trial = tried;
  let tokens = 0;
  const trade = () => tried.listener.onApplied?.(swapOf(named(`mint ${++tokens}`)));
  const until = (isMet: () => boolean) =>
    expect
      .poll(
        () => {
          if (!isMet()) trade();
          return isMet();
        },
        { timeout: 100_000 },
      )
      .toBe(true);
  return { tried, problems, trade, until };
}

function swapOf(baseMint: Address): SlotChanges {
  return { swaps: [{ swap: { baseMint } }] } as unknown as SlotChanges;
}

const casesOf = ({ status }: ShadowTrial, place: number) => status[place]?.counts.neither ?? 0;

describe('a trial', () => {
  test('counts what each detector judges, and says once that one fails', async () => {
    const { tried, problems, until } = tryOut([QUIET, THROWING]);
    await until(() => casesOf(tried, 0) >= 2);
    const [quiet, throwing] = tried.status;
    expect(quiet).toMatchObject({ counts: { failed: 0, both: 0, onlyBuiltIn: 0 }, stopped: null });
    expect(quiet?.counts.workMost).toBeGreaterThan(0);
    expect(throwing?.counts).toMatchObject({ failed: quiet?.counts.neither, neither: 0 });
    expect(problems).toEqual([
      expect.stringMatching(/^The detector mintscope-detector-throwing failed on .*: Error: no$/),
    ]);
  });

  test('goes on without a detector that ends its thread', async () => {
    const { tried, problems, until } = tryOut([QUIET, SQUARING], 1_500);
    await until(() => tried.status[1]?.stopped !== null);
    expect(tried.status[1]?.stopped).toBe('It took too long');
    await until(() => casesOf(tried, 0) >= 1);
    expect(tried.status[0]?.stopped).toBeNull();
    expect(problems.at(-1)).toBe(
      'The detector mintscope-detector-squaring ended its thread and is not tried again: It took too long',
    );
  });

  test('gives its thread one case at a time, and none when it is closed', async () => {
    let copied = 0;
    const tried = new ShadowTrial({
      packages: [QUIET],
      engine: () => ({
        mintCase: () => {
          copied++;
          return aCase();
        },
      }),
      onReported: () => undefined,
      onProblem: () => undefined,
    });
    trial = tried;
    for (let at = 0; at < 50; at++) tried.listener.onApplied?.(swapOf(named(`mint ${at}`)));
    expect(copied).toBe(1);
    await tried.close();
    tried.listener.onApplied?.(swapOf(named('another')));
    expect(copied).toBe(1);
  });
});
