import { Type } from 'typebox';
import type { CountedDetector, DetectorOff, TrialListing } from '../../model/detector-listing.ts';
import { FRAUD_TYPES } from '../../model/fraud.ts';
import { ruleIdOf } from '../../model/rule-hit.ts';
import { FRESHNESS_HEADERS } from '../schemas/wire.ts';
import { flag, integer, maybeWord, nullable, text, unionNull, word } from './wire-kinds.ts';
import { type Wire, wireRecord } from './wire-record.ts';

const Off = wireRecord<DetectorOff>()({
  slot: [integer, 'slot', 'The slot from which it is switched off.'],
  failure: [text, 'failure', 'threw, work, depth or garbage.'],
});

const Trial = wireRecord<TrialListing>()({
  both: [integer, 'both', 'Cases that it and a built-in detector report.'],
  only_detector: [integer, 'onlyDetector', 'Cases that only it reports.'],
  only_built_in: [integer, 'onlyBuiltIn', 'Cases that only built-in detectors report.'],
  neither: [integer, 'neither', 'Cases that none reports.'],
  failed: [integer, 'failed', 'Cases in which it failed.'],
  is_stopped: [flag, 'isStopped', 'Whether it is not asked until the next start.'],
});

const DETECTOR_AUTHORS = ['built_in', 'operator'] as const;
const RESULTS = ['findings', 'hits', 'none'] as const;

const DetectorRecord = wireRecord<CountedDetector>()({
  name: [text, 'name', 'The type of fraud of a built-in detector; else the name of the package.'],
  version: [integer, 'version', 'Raised with each change of what is judged.'],
  hash: [
    nullable(text),
    'hash',
    'SHA-256 over the files of the package; null for a built-in detector, which is of the version of the service.',
  ],
  rule_id: [
    nullable(text),
    ({ name, version, hash }) => (hash === null ? null : ruleIdOf({ name, version, hash })),
    '`name@version+hash`, as its hits have it; null for a built-in detector.',
  ],
  author: [
    word(DETECTOR_AUTHORS),
    ({ fraudType }) => (fraudType === null ? 'operator' : 'built_in'),
    'Who installed it.',
  ],
  results: [
    word(RESULTS),
    ({ fraudType, trial }) => {
      if (trial !== null) return 'none';
      return fraudType === null ? 'hits' : 'findings';
    },
    'Findings of its type; hits of kind fraud; none of a detector that is only tried.',
  ],
  fraud_type: [maybeWord(FRAUD_TYPES), 'fraudType', 'The type of its findings.'],
  severity: [integer, 'severity', 'From 1 to 10.'],
  pattern: [text, 'pattern', 'What it finds.'],
  is_shadow: [flag, ({ trial }) => trial !== null, 'Whether it is only tried: shadow mode.'],
  hit_count: [
    nullable(integer),
    'hitCount',
    'Hits of all versions of this name; null for a detector without hits of its own.',
  ],
  off: [unionNull(Off), 'off', 'Since when and why it is switched off; null while it judges.'],
  trial: [
    unionNull(Trial),
    'trial',
    'In shadow mode: how it compares with the built-in detectors since the start of the service.',
  ],
});

export const presentDetector = DetectorRecord.present;

const EXAMPLE_DETECTOR: Wire<typeof DetectorRecord> = {
  name: 'mintscope-detector-one-payer',
  version: 1,
  hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  rule_id: 'mintscope-detector-one-payer@1+9f86d081884c7d65',
  author: 'operator',
  results: 'hits',
  fraud_type: null,
  severity: 6,
  pattern: 'One wallet pays for the first trades of many.',
  is_shadow: false,
  hit_count: 12,
  off: null,
  trial: null,
};

export const DetectorsBody = Type.Object(
  { detectors: Type.Array(DetectorRecord.schema) },
  {
    description: 'The built-in detectors, then published packages, then those that are tried.',
    headers: FRESHNESS_HEADERS,
    examples: [{ detectors: [EXAMPLE_DETECTOR] }],
  },
);
