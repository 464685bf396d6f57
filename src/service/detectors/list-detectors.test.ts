import { expect, test } from 'vitest';
import { codeThat, packageOf } from '../../../tests/support/detector-package.ts';
import { openDetector } from '../../detector-modules/sandbox/open-detector.ts';
import { NO_CASES } from '../../detector-modules/shadow/shadow-counts.ts';
import { FRAUD_TYPES } from '../../model/fraud.ts';
import { listDetectors } from './list-detectors.ts';

const opened = (name: string) =>
  openDetector({ ...packageOf({ 'index.js': codeThat('return []', name) }), name });

/** What `codeThat` describes. */
const DESCRIBED = { version: 1, hash: 'a'.repeat(64), severity: 5, pattern: 'p' };

test('without packages, the detectors are those of the six types', () => {
  const listed = listDetectors({ published: [], tried: [], trials: [] });
  expect(listed.map(({ name }) => name)).toEqual(FRAUD_TYPES);
  expect(listed.map(({ fraudType }) => fraudType)).toEqual(FRAUD_TYPES);
  for (const one of listed) {
    expect(one).toMatchObject({ hash: null, off: null, trial: null });
    expect(one.pattern).not.toBe('');
  }
});

test('packages follow, those that are tried with their counts, and without what a failure said', () => {
  const tried = [opened('mintscope-detector-new'), opened('mintscope-detector-waiting')];
  const listed = listDetectors({
    published: [
      {
        ...{ name: 'mintscope-detector-old', ...DESCRIBED },
        ...{ off: { slot: 7, failure: 'work' }, detail: 'a path of the machine' },
      },
    ],
    tried,
    trials: tried.map(({ name }, at) => ({
      name,
      counts: { ...NO_CASES, both: 3 - at, failed: at },
      stopped: at === 0 ? null : 'a path of the machine',
    })),
  });
  const none = { both: 0, onlyDetector: 0, onlyBuiltIn: 0, neither: 0, failed: 0 };
  expect(listed.slice(FRAUD_TYPES.length)).toEqual([
    {
      ...{ name: 'mintscope-detector-old', ...DESCRIBED, fraudType: null },
      ...{ off: { slot: 7, failure: 'work' }, trial: null },
    },
    {
      ...{ name: 'mintscope-detector-new', ...DESCRIBED, fraudType: null, off: null },
      trial: { ...none, both: 3, isStopped: false },
    },
    {
      ...{ name: 'mintscope-detector-waiting', ...DESCRIBED, fraudType: null, off: null },
      trial: { ...none, both: 2, failed: 1, isStopped: true },
    },
  ]);
  expect(JSON.stringify(listed)).not.toContain('machine');
});
